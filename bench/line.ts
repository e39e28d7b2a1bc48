import { connect, type Socket } from 'node:net';
import type { Ask } from './wrk.js';

const headEnd = '\r\n\r\n';
/** `HTTP/1.1 200` */
const [STATUS_FROM, STATUS_TO] = [9, 12];
const GIVE_UP_MS = 20_000;

export function bytesOf({ path, method = 'GET', headers = {}, body }: Ask, host: string): Buffer {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const fields = Object.entries({ Host: host, ...headers, ...length });
  const head = [`${method} ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(`${head.join('\r\n')}${headEnd}${body ?? ''}`);
}

interface Shape {
  status: number;
  /** Bytes of head and body. */
  length: number;
  /** Whether another question may follow. */
  isKept: boolean;
}

/** Of an answer whose head is there. */
function shapeOf(answer: Buffer): Shape | undefined {
  const end = answer.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = answer.toString('latin1', 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0;
  return {
    status: Number(head.slice(STATUS_FROM, STATUS_TO)),
    length: end + headEnd.length + Number(length),
    isKept: !/\r\nconnection: close/i.test(head),
  };
}

/**
 * One kept connection, on which one question is asked at a time. Bare sockets, and of an answer no more than status and
 * length: Node's own client would be busier than the service that it asks.
 */
export class Line {
  private socket: Socket | undefined;
  private answer: Buffer = Buffer.alloc(0);
  private shape: Shape | undefined;
  private settle: (status: number) => void = () => undefined;

  constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  /** Its status; 0 when there was no answer. */
  ask(question: Buffer): Promise<number> {
    this.answer = Buffer.alloc(0);
    this.shape = undefined;
    const socket = (this.socket ??= this.open());
    return new Promise((resolve) => {
      this.settle = resolve;
      socket.write(question);
    });
  }

  close(): void {
    this.socket?.destroy();
  }

  private open(): Socket {
    const socket = connect({ host: this.host, port: this.port, noDelay: true });
    return socket
      .setTimeout(GIVE_UP_MS, () => socket.destroy())
      .on('data', (chunk: Buffer) => this.take(chunk))
      .on('error', () => socket.destroy())
      .on('close', () => this.end(socket, 0));
  }

  private take(chunk: Buffer): void {
    this.answer = this.answer.length === 0 ? chunk : Buffer.concat([this.answer, chunk]);
    this.shape ??= shapeOf(this.answer);
    if (this.shape === undefined || this.answer.length < this.shape.length) return;
    const { status, isKept } = this.shape;
    if (isKept) this.settle(status);
    else this.end(this.socket, status);
  }

  private end(socket: Socket | undefined, status: number): void {
    if (this.socket !== socket) return;
    this.socket = undefined;
    socket?.destroy();
    this.settle(status);
  }
}
