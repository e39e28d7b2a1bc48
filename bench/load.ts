import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Later than this an answer is of no use to anybody. */
const USEFUL_MS = 1000;
const TICK_MS = 10;
/** What waits at the caller beyond this is given up there. */
const MOST_OPEN = 1500;

export interface Figures {
  /** Useful answers a second. */
  goodput: number;
  refused: number;
  late: number;
  failed: number;
}

type Outcome = 'useful' | 'refused' | 'late' | 'failed';

/** Asks one address as one person, over connections that are kept. */
export class Load {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1000 });
  private open = 0;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** As many at once, each after its last answer: what the service does when it sets the pace. */
  async closedLoop(concurrency: number, seconds: number): Promise<Figures> {
    const counts = none();
    const end = performance.now() + seconds * 1000;
    const worker = async (): Promise<void> => {
      while (performance.now() < end) counts[await this.ask()] += 1;
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return figures(counts, seconds);
  }

  /** As many a second, whatever comes of them. */
  async openLoop(perSecond: number, seconds: number): Promise<Figures> {
    const counts = none();
    const began = performance.now();
    const asked: Promise<void>[] = [];
    const note = async (): Promise<void> => {
      counts[await this.ask()] += 1;
    };
    for (let at = 0; at < seconds * 1000; at = performance.now() - began) {
      const due = Math.floor((at / 1000) * perSecond);
      while (asked.length < due) asked.push(note());
      await sleep(TICK_MS);
    }
    await Promise.all(asked);
    return figures(counts, seconds);
  }

  close(): void {
    this.agent.destroy();
  }

  private async ask(): Promise<Outcome> {
    if (this.open >= MOST_OPEN) return 'failed';
    this.open += 1;
    const began = performance.now();
    const status = await this.statusOf();
    this.open -= 1;
    if (status === 503) return 'refused';
    if (status !== 200) return 'failed';
    return performance.now() - began < USEFUL_MS ? 'useful' : 'late';
  }

  private statusOf(): Promise<number> {
    const headers = { authorization: `Bearer ${this.token}` };
    return new Promise((resolve) => {
      get(this.url, { agent: this.agent, headers }, (answer) => {
        answer.resume().once('close', () => resolve(answer.statusCode ?? 0));
      }).once('error', () => resolve(0));
    });
  }
}

const none = (): Record<Outcome, number> => ({ useful: 0, refused: 0, late: 0, failed: 0 });

const figures = ({ useful, ...others }: Record<Outcome, number>, seconds: number): Figures => ({
  goodput: Math.round(useful / seconds),
  ...others,
});
