import { setTimeout as sleep } from 'node:timers/promises';
import { bytesOf, Line } from './line.js';
import { percentile } from './rows.js';
import type { Ask } from './wrk.js';

/** Later than this an answer is of no use to anybody. */
const USEFUL_MS = 1000;
const TICK_MS = 2;
/** What waits at the caller beyond this is given up there. */
const MOST_OPEN = 1500;

export interface Figures {
  asked_per_second: number;
  /** Useful answers a second, while it was asked. */
  goodput: number;
  useful_share: number;
  p50_ms: number;
  p99_ms: number;
  refused: number;
  late: number;
  failed: number;
  given_up_by_the_caller: number;
}

/** What became of the questions of one run. */
class Tally {
  /** Milliseconds of each useful answer. */
  private readonly useful: number[] = [];
  private readonly began = performance.now();
  private inTime = 0;
  private refused = 0;
  private late = 0;
  private failed = 0;
  private givenUp = 0;

  constructor(private readonly seconds: number) {}

  get isOver(): boolean {
    return this.elapsed >= this.seconds;
  }

  /** Seconds since the first question. */
  get elapsed(): number {
    return (performance.now() - this.began) / 1000;
  }

  note(status: number, ms: number): void {
    if (status === 503) this.refused += 1;
    else if (status < 200 || status > 304) this.failed += 1;
    else if (ms >= USEFUL_MS) this.late += 1;
    else {
      this.useful.push(ms);
      if (!this.isOver) this.inTime += 1;
    }
  }

  giveUp(): void {
    this.givenUp += 1;
  }

  figures(): Figures {
    const { seconds, useful, refused, late, failed, givenUp } = this;
    const asked = useful.length + refused + late + failed + givenUp;
    return {
      asked_per_second: asked / seconds,
      goodput: this.inTime / seconds,
      useful_share: useful.length / asked,
      p50_ms: percentile(useful, 0.5),
      p99_ms: percentile(useful, 0.99),
      refused,
      late,
      failed,
      given_up_by_the_caller: givenUp,
    };
  }
}

/** Asks a server these things one after the other, over connections that are kept. */
export class Load {
  private readonly questions: Buffer[];
  private readonly idle: Line[] = [];
  private readonly all: Line[] = [];
  private asked = 0;

  constructor(
    private readonly url: URL,
    asks: readonly Ask[],
  ) {
    this.questions = asks.map((ask) => bytesOf(ask, url.host));
  }

  /** So many at once, each after its last answer: what the service does when it sets the pace. */
  async closedLoop(concurrency: number, seconds: number): Promise<Figures> {
    const tally = new Tally(seconds);
    const caller = async (): Promise<void> => {
      while (!tally.isOver) await this.ask(tally);
    };
    await Promise.all(Array.from({ length: concurrency }, caller));
    return tally.figures();
  }

  /** So many a second, whatever comes of them. */
  async openLoop(perSecond: number, seconds: number): Promise<Figures> {
    const tally = new Tally(seconds);
    for (let due = 0; !tally.isOver;) {
      for (; due < tally.elapsed * perSecond; due += 1) {
        if (this.open >= MOST_OPEN) tally.giveUp();
        else void this.ask(tally);
      }
      await sleep(TICK_MS);
    }
    while (this.open > 0) await sleep(TICK_MS);
    return tally.figures();
  }

  close(): void {
    for (const line of this.all) line.close();
  }

  private get open(): number {
    return this.all.length - this.idle.length;
  }

  private async ask(tally: Tally): Promise<void> {
    const line = this.idle.pop() ?? this.another();
    const question = this.questions[this.asked % this.questions.length] as Buffer;
    this.asked += 1;
    const began = performance.now();
    tally.note(await line.ask(question), performance.now() - began);
    this.idle.push(line);
  }

  private another(): Line {
    const line = new Line(this.url.hostname, Number(this.url.port));
    this.all.push(line);
    return line;
  }
}
