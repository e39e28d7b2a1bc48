import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PgMessages } from './pg-messages.js';
import { holdBack, piecesOf, type Toxics } from './toxics.js';

interface Line {
  client: Socket;
  server: Socket;
  messages: PgMessages;
  answered: number;
  /** The server got what was to be cut: its answer goes nowhere. */
  muted: boolean;
}

/** A TCP line between the service and something it depends on, with faults that can be turned on and off. */
export class FaultProxy {
  toxics: Toxics = {};
  /** How often a line was cut at a message. */
  cuts = 0;
  private readonly lines = new Set<Line>();
  private seen = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
    public target: number,
  ) {
    server.on('connection', (client) => this.open(client));
  }

  static async start(target: number): Promise<FaultProxy> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, (server.address() as AddressInfo).port, target);
  }

  get connections(): number {
    return this.lines.size;
  }

  /** Refuses connections and breaks those that are. */
  async down(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.breakAll();
    await closed;
  }

  async up(): Promise<void> {
    this.toxics = {};
    if (this.server.listening) return;
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  breakAll(): void {
    for (const line of this.lines) this.reset(line);
  }

  private open(client: Socket): void {
    const server = connect({ port: this.target, host: '127.0.0.1', allowHalfOpen: true });
    const line = { client, server, messages: new PgMessages(), answered: 0, muted: false };
    this.lines.add(line);
    client.setNoDelay(true);
    server.setNoDelay(true);
    for (const socket of [client, server]) socket.on('error', () => this.reset(line));
    server.on('close', () => this.lines.delete(line));
    client.on('close', () => server.destroy());
    void this.pump(line, client, server).catch(() => this.reset(line));
    void this.pump(line, server, client).catch(() => this.reset(line));
  }

  private async pump(line: Line, from: Socket, to: Socket): Promise<void> {
    for await (const bytes of from as AsyncIterable<Buffer>) {
      for (const piece of piecesOf(bytes, this.toxics)) {
        if (!(await this.passes(line, from, piece))) return;
        if (to.destroyed) return;
        if (!to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
    }
    if (this.toxics.slowClose !== undefined) await sleep(this.toxics.slowClose);
    to.end();
  }

  private async passes(line: Line, from: Socket, piece: Buffer): Promise<boolean> {
    const { timeout, resetPeer, limitData } = this.toxics;
    if (timeout !== undefined) return this.swallow(line, timeout);
    if (resetPeer !== undefined) {
      await sleep(resetPeer);
      return this.reset(line);
    }
    await holdBack(piece, this.toxics);
    if (from === line.client) return this.mayBeSent(line, piece);
    line.answered += piece.length;
    if (line.muted || (limitData !== undefined && line.answered > limitData)) return this.reset(line);
    return true;
  }

  /** The line stays as it is, and nothing that was swallowed comes back when the fault is over. */
  private async swallow(line: Line, timeout: number): Promise<boolean> {
    if (timeout > 0) await sleep(timeout);
    else while (this.toxics.timeout === 0 && !line.client.destroyed) await sleep(50);
    return this.reset(line);
  }

  private mayBeSent(line: Line, piece: Buffer): boolean {
    const { cut } = this.toxics;
    const fitting = line.messages.feed(piece).filter((message) => cut?.fits(message)).length;
    if (cut === undefined || fitting === 0) return true;
    this.seen += fitting;
    if (this.seen % cut.every !== 0) return true;
    this.cuts += 1;
    if (cut.side === 'before') return this.reset(line);
    line.muted = true;
    return true;
  }

  private reset(line: Line): false {
    this.lines.delete(line);
    line.client.resetAndDestroy();
    line.server.resetAndDestroy();
    return false;
  }
}
