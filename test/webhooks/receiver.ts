import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export interface Received {
  id: string;
  headers: Record<string, string>;
  raw: string;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
  at: number;
}

/** Responds to a request, or leaves it open. */
export type Reaction = (response: ServerResponse, received: Received) => void | Promise<void>;

export interface Receiver {
  /** For WEBHOOK_ALLOWED_HOSTS. */
  host: string;
  url: string;
  /** Every request, in order of arrival. */
  received: Received[];
  /** Those that were accepted, without repetitions. */
  accepted: () => Received[];
  react: (reaction: Reaction) => void;
  close: () => Promise<void>;
}

export const accept: Reaction = (response) => void response.writeHead(204).end();
export const refuse =
  (status: number, headers: Record<string, string> = {}): Reaction =>
  (response) =>
    void response.writeHead(status, headers).end('no');

/** An HTTP server on loopback that records what it receives. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const acceptedIds = new Map<string, Received>();
  let reaction = accept;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await text(request);
    const headers = request.headers as Record<string, string>;
    const id = headers['webhook-id'] ?? '';
    const one = { id, headers, raw, body: JSON.parse(raw) as Received['body'], at: Date.now() };
    received.push(one);
    await reaction(response, one);
    if (response.statusCode < 300 && response.headersSent && !acceptedIds.has(id)) acceptedIds.set(id, one);
  };
  const server: Server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    accepted: () => [...acceptedIds.values()],
    react: (next) => {
      reaction = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Whether the signature is valid at the time that it states; `Webhook.verify` also checks the time. */
export const isSignedBy = (secret: string, { id, headers, raw }: Received): boolean => {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const expected = new Webhook(secret).sign(id, at, raw);
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected);
};
