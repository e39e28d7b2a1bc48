import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';

const POLL_INTERVAL_MS = 250;
const FIRST_ATTEMPT_MS = 6_000;
const LAST_ATTEMPT_MS = 15_500;

interface Backend {
  name: string;
  url: string;
  ready: boolean;
}

interface BufferedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** A replica rejected a request before it started processing it. */
class Overloaded extends Error {}

interface Forwarding {
  buffered: BufferedRequest;
  to: Backend;
  outgoing: ServerResponse;
  ms: number;
  mayRetry?: boolean;
}

/** Distributes requests over the ready replicas, and repeats an idempotent one when a replica fails. */
export class Balancer {
  backends: Backend[] = [];
  retries = 0;
  private turn = 0;
  private readonly agent = new Agent({
    // More than the replicas accept, so that requests queue there.
    connections: 512,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    pipelining: 1,
  });
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly server: Server) {
    server.on('request', (incoming, outgoing) => void this.handle(incoming, outgoing));
    this.timer = setInterval(() => void this.pollReadiness(), POLL_INTERVAL_MS);
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

  private async pollReadiness(): Promise<void> {
    await Promise.all(
      this.backends.map(async (backend) => {
        const signal = AbortSignal.timeout(1_500);
        backend.ready = await fetch(`${backend.url}/readyz`, { signal }).then(
          async (response) => (await response.arrayBuffer(), response.ok),
          () => false,
        );
      }),
    );
  }

  /** Without a ready replica any is used: its own error is more specific. */
  private next(except?: Backend): Backend | undefined {
    const others = this.backends.filter((backend) => backend !== except);
    const ready = others.filter((backend) => backend.ready);
    const choice = ready.length > 0 ? ready : others;
    return choice[(this.turn += 1) % Math.max(1, choice.length)];
  }

  private async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const buffered = await read(incoming).catch(() => null);
    if (buffered === null) return void outgoing.destroy();
    const first = this.next();
    try {
      if (first === undefined) throw new Error('no replica');
      const ms = isRepeatable(buffered) ? FIRST_ATTEMPT_MS : LAST_ATTEMPT_MS;
      await this.forward({ buffered, to: first, outgoing, ms, mayRetry: true });
    } catch (error) {
      await this.retry({ buffered, first, outgoing, error: error as NodeJS.ErrnoException });
    }
  }

  /** A refused connection has sent nothing, so every request can be retried. */
  private async retry({ buffered, first, outgoing, error }: Failed): Promise<void> {
    const isOverloaded = error instanceof Overloaded;
    if (first !== undefined && !isOverloaded) first.ready = false;
    const second = this.next(first);
    const mayRepeat = isRepeatable(buffered) || isOverloaded || error.code === 'ECONNREFUSED';
    if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy();
    if (second !== undefined && mayRepeat) {
      this.retries += 1;
      const forwarded = this.forward({
        buffered,
        to: second,
        outgoing,
        ms: LAST_ATTEMPT_MS - FIRST_ATTEMPT_MS,
      });
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

  /** Throws Overloaded instead of forwarding that response, when the request can be retried. */
  private async forward({ buffered, to, outgoing, ms, mayRetry = false }: Forwarding): Promise<void> {
    const { path, ...rest } = buffered;
    const response = await request(`${to.url}${path}`, {
      ...rest,
      body: buffered.body.length > 0 ? buffered.body : null,
      method: buffered.method,
      dispatcher: this.agent,
      headersTimeout: ms,
      bodyTimeout: ms,
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    // Rejected before processing, so every request can be retried.
    if (mayRetry && response.statusCode === 503 && bytes.includes('"code":"overloaded"'))
      throw new Overloaded();
    const {
      'transfer-encoding': _chunked,
      connection: _hop,
      'keep-alive': _alive,
      ...headers
    } = response.headers;
    outgoing.writeHead(response.statusCode, { ...headers, 'x-served-by': to.name }).end(bytes);
  }
}

interface Failed {
  buffered: BufferedRequest;
  first: Backend | undefined;
  outgoing: ServerResponse;
  error: NodeJS.ErrnoException;
}

const isRepeatable = ({ method, headers }: BufferedRequest): boolean =>
  ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method) || headers['idempotency-key'] !== undefined;

async function read(incoming: IncomingMessage): Promise<BufferedRequest> {
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
