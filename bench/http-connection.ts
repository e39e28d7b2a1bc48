import { connect, type Socket } from 'node:net';
import type { RequestSpec } from './wrk.js';

const headEnd = '\r\n\r\n';
/** `HTTP/1.1 200` */
const [STATUS_FROM, STATUS_TO] = [9, 12];
const TIMEOUT_MS = 20_000;

export function bytesOf({ path, method = 'GET', headers = {}, body }: RequestSpec, host: string): Buffer {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const fields = Object.entries({ Host: host, ...headers, ...length });
  const head = [`${method} ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(`${head.join('\r\n')}${headEnd}${body ?? ''}`);
}

interface ResponseHead {
  status: number;
  /** Bytes of head and body. */
  length: number;
  /** Whether the connection can be reused. */
  isKeepAlive: boolean;
}

/** Parses the head of a response, once it is complete. */
function parseHead(response: Buffer): ResponseHead | undefined {
  const end = response.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = response.toString('latin1', 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0;
  return {
    status: Number(head.slice(STATUS_FROM, STATUS_TO)),
    length: end + headEnd.length + Number(length),
    isKeepAlive: !/\r\nconnection: close/i.test(head),
  };
}

/**
 * A keep-alive connection for one request at a time. It parses only status and length: Node's HTTP client would use more
 * CPU than the measured service.
 */
export class HttpConnection {
  private socket: Socket | undefined;
  private response: Buffer = Buffer.alloc(0);
  private shape: ResponseHead | undefined;
  private settle: (status: number) => void = () => undefined;

  constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  /** Resolves to the status; 0 without a response. */
  ask(request: Buffer): Promise<number> {
    this.response = Buffer.alloc(0);
    this.shape = undefined;
    const socket = (this.socket ??= this.open());
    return new Promise((resolve) => {
      this.settle = resolve;
      socket.write(request);
    });
  }

  close(): void {
    this.socket?.destroy();
  }

  private open(): Socket {
    const socket = connect({ host: this.host, port: this.port, noDelay: true });
    return socket
      .setTimeout(TIMEOUT_MS, () => socket.destroy())
      .on('data', (chunk: Buffer) => this.receive(chunk))
      .on('error', () => socket.destroy())
      .on('close', () => this.end(socket, 0));
  }

  private receive(chunk: Buffer): void {
    this.response = this.response.length === 0 ? chunk : Buffer.concat([this.response, chunk]);
    this.shape ??= parseHead(this.response);
    if (this.shape === undefined || this.response.length < this.shape.length) return;
    const { status, isKeepAlive } = this.shape;
    if (isKeepAlive) this.settle(status);
    else this.end(this.socket, status);
  }

  private end(socket: Socket | undefined, status: number): void {
    if (this.socket !== socket) return;
    this.socket = undefined;
    socket?.destroy();
    this.settle(status);
  }
}
