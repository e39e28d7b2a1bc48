import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';

const LOOK_MS = 250;
const FIRST_TRY_MS = 6_000;
const LAST_TRY_MS = 15_500;

interface Backend {
  name: string;
  url: string;
  ready: boolean;
}

interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** What a replica says that has not begun with a request. */
class Overloaded extends Error {}

interface Forwarding {
  asked: Asked;
  to: Backend;
  outgoing: ServerResponse;
  ms: number;
  mayTryElsewhere?: boolean;
}

/** Hands requests to the replicas in turn: to those that say they are ready, and a repeatable one twice when a replica fails. */
export class Balancer {
  backends: Backend[] = [];
  retries = 0;
  private turn = 0;
  private readonly agent = new Agent({
    // More than replicas take on: the queue is theirs, not ours.
    connections: 512,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    pipelining: 1,
  });
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly server: Server) {
    server.on('request', (incoming, outgoing) => void this.handle(incoming, outgoing));
    this.timer = setInterval(() => void this.look(), LOOK_MS);
  }

  static async start(): Promise<Balancer> {
    const server = createServer({ keepAliveTimeout: 60_000 }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Balancer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.server.closeAllConnections();
    this.server.close();
    await this.agent.destroy();
  }

  private async look(): Promise<void> {
    await Promise.all(
      this.backends.map(async (backend) => {
        const signal = AbortSignal.timeout(1_500);
        backend.ready = await fetch(`${backend.url}/readyz`, { signal }).then(
          async (answer) => (await answer.arrayBuffer(), answer.ok),
          () => false,
        );
      }),
    );
  }

  /** With nobody ready anybody is asked: their own answer tells more than ours. */
  private next(except?: Backend): Backend | undefined {
    const others = this.backends.filter((backend) => backend !== except);
    const ready = others.filter((backend) => backend.ready);
    const choice = ready.length > 0 ? ready : others;
    return choice[(this.turn += 1) % Math.max(1, choice.length)];
  }

  private async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const asked = await read(incoming).catch(() => null);
    if (asked === null) return void outgoing.destroy();
    const first = this.next();
    try {
      if (first === undefined) throw new Error('no replica');
      const ms = isRepeatable(asked) ? FIRST_TRY_MS : LAST_TRY_MS;
      await this.forward({ asked, to: first, outgoing, ms, mayTryElsewhere: true });
    } catch (error) {
      await this.again({ asked, first, outgoing, error: error as NodeJS.ErrnoException });
    }
  }

  /** Nothing was sent to one that refuses the connection: that may always be tried elsewhere. */
  private async again({ asked, first, outgoing, error }: Failed): Promise<void> {
    const isOverloaded = error instanceof Overloaded;
    if (first !== undefined && !isOverloaded) first.ready = false;
    const second = this.next(first);
    const mayRepeat = isRepeatable(asked) || isOverloaded || error.code === 'ECONNREFUSED';
    if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy();
    if (second !== undefined && mayRepeat) {
      this.retries += 1;
      const forwarded = this.forward({ asked, to: second, outgoing, ms: LAST_TRY_MS - FIRST_TRY_MS });
      if (
        await forwarded.then(
          () => true,
          () => outgoing.headersSent,
        )
      )
        return;
    }
    outgoing.writeHead(502, { 'x-balancer': error.code ?? error.name }).end();
  }

  /** Throws Overloaded instead of handing on that answer, when it may be tried elsewhere. */
  private async forward({ asked, to, outgoing, ms, mayTryElsewhere = false }: Forwarding): Promise<void> {
    const { path, ...rest } = asked;
    const answer = await request(`${to.url}${path}`, {
      ...rest,
      body: asked.body.length > 0 ? asked.body : null,
      method: asked.method,
      dispatcher: this.agent,
      headersTimeout: ms,
      bodyTimeout: ms,
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    // Refused before it was begun: whatever it is, it may be tried elsewhere.
    if (mayTryElsewhere && answer.statusCode === 503 && bytes.includes('"code":"overloaded"'))
      throw new Overloaded();
    const {
      'transfer-encoding': _chunked,
      connection: _hop,
      'keep-alive': _alive,
      ...headers
    } = answer.headers;
    outgoing.writeHead(answer.statusCode, { ...headers, 'x-served-by': to.name }).end(bytes);
  }
}

interface Failed {
  asked: Asked;
  first: Backend | undefined;
  outgoing: ServerResponse;
  error: NodeJS.ErrnoException;
}

const isRepeatable = ({ method, headers }: Asked): boolean =>
  ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method) || headers['idempotency-key'] !== undefined;

async function read(incoming: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const {
    connection: _hop,
    host: _host,
    'content-length': _length,
    'transfer-encoding': _chunked,
    ...headers
  } = incoming.headers;
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: headers as Record<string, string>,
    body: Buffer.concat(chunks),
  };
}
