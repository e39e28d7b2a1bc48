import { setTimeout as sleep } from 'node:timers/promises';
import { bytesOf, HttpConnection } from './http-connection.js';
import { percentile } from './rows.js';
import type { RequestSpec } from './wrk.js';

/** A slower response does not count as goodput. */
const USEFUL_MS = 1000;
const TICK_MS = 2;
/** Further requests are dropped by the client. */
const MAX_OPEN = 1500;

export interface Figures {
  asked_per_second: number;
  /** Responses within the limit per second of load. */
  goodput: number;
  useful_share: number;
  p50_ms: number;
  p99_ms: number;
  refused: number;
  late: number;
  failed: number;
  given_up_by_the_caller: number;
}

/** The results of one run. */
class Tally {
  /** Milliseconds of each response within the limit. */
  private readonly useful: number[] = [];
  private readonly began = performance.now();
  private inTime = 0;
  private refused = 0;
  private late = 0;
  private failed = 0;
  private dropped = 0;

  constructor(private readonly seconds: number) {}

  get isOver(): boolean {
    return this.elapsed >= this.seconds;
  }

  /** Seconds since the start. */
  get elapsed(): number {
    return (performance.now() - this.began) / 1000;
  }

  record(status: number, ms: number): void {
    if (status === 503) this.refused += 1;
    else if (status < 200 || status > 304) this.failed += 1;
    else if (ms >= USEFUL_MS) this.late += 1;
    else {
      this.useful.push(ms);
      if (!this.isOver) this.inTime += 1;
    }
  }

  recordDropped(): void {
    this.dropped += 1;
  }

  figures(): Figures {
    const { seconds, useful, refused, late, failed, dropped } = this;
    const sent = useful.length + refused + late + failed + dropped;
    return {
      asked_per_second: sent / seconds,
      goodput: this.inTime / seconds,
      useful_share: useful.length / sent,
      p50_ms: percentile(useful, 0.5),
      p99_ms: percentile(useful, 0.99),
      refused,
      late,
      failed,
      given_up_by_the_caller: dropped,
    };
  }
}

/** Sends the requests in turn, over keep-alive connections. */
export class Load {
  private readonly requests: Buffer[];
  private readonly idle: HttpConnection[] = [];
  private readonly all: HttpConnection[] = [];
  private sent = 0;

  constructor(
    private readonly url: URL,
    requests: readonly RequestSpec[],
  ) {
    this.requests = requests.map((ask) => bytesOf(ask, url.host));
  }

  /** Each client waits for its response before the next request. */
  async closedLoop(concurrency: number, seconds: number): Promise<Figures> {
    const tally = new Tally(seconds);
    const caller = async (): Promise<void> => {
      while (!tally.isOver) await this.ask(tally);
    };
    await Promise.all(Array.from({ length: concurrency }, caller));
    return tally.figures();
  }

  /** A constant rate, independent of responses. */
  async openLoop(perSecond: number, seconds: number): Promise<Figures> {
    const tally = new Tally(seconds);
    for (let due = 0; !tally.isOver;) {
      for (; due < tally.elapsed * perSecond; due += 1) {
        if (this.open >= MAX_OPEN) tally.recordDropped();
        else void this.ask(tally);
      }
      await sleep(TICK_MS);
    }
    while (this.open > 0) await sleep(TICK_MS);
    return tally.figures();
  }

  close(): void {
    for (const connection of this.all) connection.close();
  }

  private get open(): number {
    return this.all.length - this.idle.length;
  }

  private async ask(tally: Tally): Promise<void> {
    const connection = this.idle.pop() ?? this.openConnection();
    const request = this.requests[this.sent % this.requests.length] as Buffer;
    this.sent += 1;
    const began = performance.now();
    tally.record(await connection.ask(request), performance.now() - began);
    this.idle.push(connection);
  }

  private openConnection(): HttpConnection {
    const connection = new HttpConnection(this.url.hostname, Number(this.url.port));
    this.all.push(connection);
    return connection;
  }
}
