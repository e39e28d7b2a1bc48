import type { Principal } from '../../core/http/principal.js';
import type { EventBatch } from '../outbox/events.service.js';
import type { EventType } from '../outbox/event-types.js';
import { EventDto } from './dto/event.dto.js';

const RECONNECT_MS = 1000;
/** Time in which a client may still receive the end of its stream. */
const GRACE_MS = 500;

export interface StreamOptions {
  caller: Principal;
  /** The last seq that the client has received. */
  position: number;
  types: readonly EventType[] | undefined;
  heartbeatMs: number;
  /** Whether the caller may still read events. */
  isAllowed: () => Promise<boolean>;
  /** Closes the connection, also of a client that does not read. */
  close: () => void;
  read: (after: number, types: readonly EventType[] | undefined) => Promise<EventBatch>;
}

const messageOf = (event: EventDto): string =>
  `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/**
 * The text of one stream. The next batch is read when the client has received the previous one, so a slow client holds
 * one batch. An `id` without data moves the position at which the client resumes past events of other types.
 */
export class EventStream {
  private readonly ending = new AbortController();
  private position: number;
  private isWoken = false;
  private waiting?: PromiseWithResolvers<void>;

  constructor(private readonly options: StreamOptions) {
    this.position = options.position;
  }

  get userId(): string {
    return this.options.caller.id;
  }

  get isEnded(): boolean {
    return this.ending.signal.aborted;
  }

  wake(): void {
    this.isWoken = true;
    this.waiting?.resolve();
  }

  end(): void {
    if (this.isEnded) return;
    this.ending.abort();
    this.wake();
    setTimeout(this.options.close, GRACE_MS).unref();
  }

  /** Ends the stream if the caller may no longer read events, or if that is unknown. */
  async recheck(): Promise<void> {
    if (!(await this.options.isAllowed().catch(() => false))) this.end();
  }

  async *text(): AsyncGenerator<string> {
    try {
      yield* this.messages();
    } finally {
      this.end();
    }
  }

  private async *messages(): AsyncGenerator<string> {
    const { types, read, isAllowed } = this.options;
    yield `retry: ${RECONNECT_MS}\nid: ${this.position}\n\n`;
    while (!this.isEnded) {
      this.isWoken = false;
      if (!(await isAllowed())) return;
      const { events, next, isMore } = await read(this.position, types);
      this.position = next;
      if (events.length > 0) yield events.map((event) => messageOf(EventDto.from(event))).join('');
      if (isMore || (await this.pause())) continue;
      yield `: heartbeat\nid: ${this.position}\n\n`;
    }
  }

  /** Until the stream is woken; false after the time of a heartbeat. */
  private async pause(): Promise<boolean> {
    if (this.isWoken) return true;
    this.waiting = Promise.withResolvers();
    const timer = setTimeout(() => this.waiting?.resolve(), this.options.heartbeatMs);
    await this.waiting.promise;
    clearTimeout(timer);
    this.waiting = undefined;
    return this.isWoken;
  }
}
