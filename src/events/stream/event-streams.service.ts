import { Readable } from 'node:stream';
import { Injectable, Logger, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { JwtStrategy } from '../../auth/jwt.strategy.js';
import { Config } from '../../core/config/config.js';
import { CacheInvalidationService, type Keys } from '../../core/database/cache-invalidation.service.js';
import { LoadShedderService } from '../../core/http/load-shedder.service.js';
import type { Principal } from '../../core/http/principal.js';
import { withOwnDeadline } from '../../core/http/request-context.js';
import { EventFeedService } from '../outbox/event-feed.service.js';
import type { EventType } from '../outbox/event-types.js';
import { UnknownPosition } from '../outbox/events.errors.js';
import { type EventBatch, EventsService } from '../outbox/events.service.js';
import { EventStream } from './event-stream.js';
import { EVENT_STREAM, type StreamRequest } from './requested-stream.js';
import { problem } from '../../core/problems/problem.js';

const RETRY_SECONDS = 5;

class TooManyStreams extends problem(
  'too_many_streams',
  'You have too many open streams. Close one of them.',
  { retryAfter: RETRY_SECONDS },
) {}

class NoStreamAvailable extends problem(
  'service_unavailable',
  'This replica cannot open another stream. Try again.',
  { retryAfter: RETRY_SECONDS },
) {}

const MAX_STREAMS = 200;
const MAX_STREAMS_OF_CALLER = 5;
const BATCH = 200;
const HEARTBEAT_MS = 15_000;

interface Selected {
  after?: number;
  type?: readonly EventType[];
}

interface SharedRead {
  /** Of the feed when the read began: it may lack later events. */
  lastSeq: number;
  batch: Promise<EventBatch>;
}

/** The open streams of this replica. The deadline of a request ends with its headers, so what streams read has its own. */
@Injectable()
export class EventStreamsService {
  private readonly logger = new Logger(EventStreamsService.name);
  private readonly streams = new Set<EventStream>();
  /** Streams that have received everything read the next events together. */
  private readonly reading = new Map<number, SharedRead>();

  constructor(
    private readonly events: EventsService,
    private readonly strategy: JwtStrategy,
    private readonly load: LoadShedderService,
    private readonly config: Config,
    private readonly feed: EventFeedService,
    changes: CacheInvalidationService,
  ) {
    feed.subscribe(() => this.streams.forEach((stream) => stream.wake()));
    // Later than the handler that invalidates principals, in whatever order both are registered.
    changes.on('rights', (userIds) => void setImmediate(() => this.recheck(userIds)));
  }

  /** Throws EventsExpired, UnknownPosition, TooManyStreams and NoStreamAvailable. */
  async open(caller: Principal, request: StreamRequest, { after, type }: Selected): Promise<StreamableFile> {
    this.checkLimits(caller);
    const start = request.lastEventId ?? after;
    if (start !== undefined) await this.requireStored(start, request.lastEventId !== undefined);
    const position = start ?? (await this.events.lastSeq());
    this.checkLimits(caller);
    return this.start(caller, request, position, type);
  }

  private async requireStored(position: number, isLastEventId: boolean): Promise<void> {
    try {
      await this.events.after({ after: position, limit: 1 });
    } catch (error) {
      const isUnknown = error instanceof UnknownPosition && isLastEventId;
      throw isUnknown ? new UnknownPosition(error.lastSeq, 'Last-Event-ID') : error;
    }
  }

  private start(
    caller: Principal,
    { request, response }: StreamRequest,
    position: number,
    types: readonly EventType[] | undefined,
  ): StreamableFile {
    const { remainingMs, recheck } = this.strategy.holdAccess(request);
    const stream = new EventStream({
      caller,
      position,
      types,
      heartbeatMs: Math.min(HEARTBEAT_MS, this.config.serverLimits.stalledSeconds * 500),
      isAllowed: async () => (await withOwnDeadline(recheck))?.role === 'admin',
      close: () => void response.destroy(),
      read: (from) => this.read(from, types),
    });
    if (!response.closed) this.streams.add(stream);
    const expiry = setTimeout(() => stream.end(), remainingMs);
    response.once('close', () => {
      clearTimeout(expiry);
      this.streams.delete(stream);
      stream.end();
    });
    this.load.stream(response, () => stream.end());
    return this.fileOf(stream, response);
  }

  private fileOf(stream: EventStream, response: Response): StreamableFile {
    // nginx buffers responses by default.
    response.setHeader('X-Accel-Buffering', 'no');
    response.setHeader('Cache-Control', 'no-store');
    const body = Readable.from(stream.text(), { highWaterMark: 1 });
    const file = new StreamableFile(body, { type: EVENT_STREAM });
    // A broken connection makes the client resume.
    return file.setErrorHandler((error, broken) => {
      this.logger.warn({ msg: 'event stream ended', err: error });
      broken.destroy?.();
    });
  }

  private checkLimits(caller: Principal): void {
    if (this.streams.size >= MAX_STREAMS) throw new NoStreamAvailable();
    const own = [...this.streams].filter(({ userId }) => userId === caller.id);
    if (own.length >= MAX_STREAMS_OF_CALLER) throw new TooManyStreams();
  }

  private recheck(userIds: Keys): void {
    for (const stream of this.streams) {
      if (userIds === undefined || userIds.includes(stream.userId)) void stream.recheck();
    }
  }

  private async read(after: number, types: readonly EventType[] | undefined): Promise<EventBatch> {
    if (this.feed.lastSeq - after > BATCH) {
      return withOwnDeadline(() => this.events.after({ after, limit: BATCH, types }));
    }
    const batch = await this.readShared(after);
    if (types === undefined) return batch;
    return { ...batch, events: batch.events.filter(({ type }) => types.includes(type)) };
  }

  private readShared(after: number): Promise<EventBatch> {
    const { lastSeq } = this.feed;
    const known = this.reading.get(after);
    if (known?.lastSeq === lastSeq) return known.batch;
    const read = { lastSeq, batch: withOwnDeadline(() => this.events.after({ after, limit: BATCH })) };
    this.reading.set(after, read);
    const forget = (): void => {
      if (this.reading.get(after) === read) this.reading.delete(after);
    };
    read.batch.then(forget, forget);
    return read.batch;
  }
}
