import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PgMessages } from './pg-messages.js';
import { delay, piecesOf, type Toxics } from './toxics.js';

interface ConnectionPair {
  client: Socket;
  server: Socket;
  messages: PgMessages;
  bytesReturned: number;
  /** The server received the message to cut at: its response is discarded. */
  dropsResponse: boolean;
}

/** A TCP proxy between the service and a dependency, with configurable faults. */
export class FaultProxy {
  toxics: Toxics = {};
  /** How many connections were cut at a message. */
  cuts = 0;
  private readonly pairs = new Set<ConnectionPair>();
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
    return this.pairs.size;
  }

  /** Refuses connections and resets the open ones. */
  async down(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.resetAll();
    await closed;
  }

  async up(): Promise<void> {
    this.toxics = {};
    if (this.server.listening) return;
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  resetAll(): void {
    for (const pair of this.pairs) this.reset(pair);
  }

  private open(client: Socket): void {
    const server = connect({ port: this.target, host: '127.0.0.1', allowHalfOpen: true });
    const pair = { client, server, messages: new PgMessages(), bytesReturned: 0, dropsResponse: false };
    this.pairs.add(pair);
    client.setNoDelay(true);
    server.setNoDelay(true);
    for (const socket of [client, server]) socket.on('error', () => this.reset(pair));
    server.on('close', () => this.pairs.delete(pair));
    client.on('close', () => server.destroy());
    void this.pump(pair, client, server).catch(() => this.reset(pair));
    void this.pump(pair, server, client).catch(() => this.reset(pair));
  }

  private async pump(pair: ConnectionPair, from: Socket, to: Socket): Promise<void> {
    for await (const bytes of from as AsyncIterable<Buffer>) {
      for (const piece of piecesOf(bytes, this.toxics)) {
        if (!(await this.canForward(pair, from, piece))) return;
        if (to.destroyed) return;
        if (!to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
    }
    if (this.toxics.slowClose !== undefined) await sleep(this.toxics.slowClose);
    to.end();
  }

  private async canForward(pair: ConnectionPair, from: Socket, piece: Buffer): Promise<boolean> {
    const { timeout, resetPeer, limitData } = this.toxics;
    if (timeout !== undefined) return this.drop(pair, timeout);
    if (resetPeer !== undefined) {
      await sleep(resetPeer);
      return this.reset(pair);
    }
    await delay(piece, this.toxics);
    if (from === pair.client) return this.cutAtMessage(pair, piece);
    pair.bytesReturned += piece.length;
    if (pair.dropsResponse || (limitData !== undefined && pair.bytesReturned > limitData))
      return this.reset(pair);
    return true;
  }

  /** The connection stays open without data, and is reset when the fault ends. */
  private async drop(pair: ConnectionPair, timeout: number): Promise<boolean> {
    if (timeout > 0) await sleep(timeout);
    else while (this.toxics.timeout === 0 && !pair.client.destroyed) await sleep(50);
    return this.reset(pair);
  }

  private cutAtMessage(pair: ConnectionPair, piece: Buffer): boolean {
    const { cut } = this.toxics;
    const fitting = pair.messages.feed(piece).filter((message) => cut?.fits(message)).length;
    if (cut === undefined || fitting === 0) return true;
    this.seen += fitting;
    if (this.seen % cut.every !== 0) return true;
    this.cuts += 1;
    if (cut.side === 'before') return this.reset(pair);
    pair.dropsResponse = true;
    return true;
  }

  private reset(pair: ConnectionPair): false {
    this.pairs.delete(pair);
    pair.client.resetAndDestroy();
    pair.server.resetAndDestroy();
    return false;
  }
}
