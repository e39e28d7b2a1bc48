import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, getSchemaPath } from '#openapi';
import { AdminOnly, Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import { EventDto, EventListDto, ListEventsQuery } from './dto/event.dto.js';
import { EventsService } from '../outbox/events.service.js';
import { EventStreamsService } from './event-streams.service.js';
import { EVENT_STREAM, RequestedStream, type StreamRequest } from './requested-stream.js';

const page = { schema: { $ref: getSchemaPath(EventListDto) } };
const stream = { schema: { type: 'string' } };

@Controller('api/events')
@AdminOnly()
@ApiExtraModels(EventListDto)
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly streams: EventStreamsService,
  ) {}

  /**
   * Lists events, oldest first. With `Accept: text/event-stream`, returns a stream of events as they happen; it ends
   * when the access token expires, and resumes after `Last-Event-ID` or `after`. Events are stored for at least 30 days.
   */
  @Get()
  @ApiHeader({
    name: 'Last-Event-ID',
    description: 'Resumes a stream after this event. Takes precedence over `after`.',
    required: false,
  })
  @ApiOkResponse({ content: { 'application/json': page, [EVENT_STREAM]: stream } })
  async list(
    @Caller() caller: Principal,
    @Query() query: ListEventsQuery,
    @RequestedStream() stream: StreamRequest | null,
    @Links() links: PageLinks,
  ): Promise<EventListDto | StreamableFile> {
    if (stream !== null) return this.streams.open(caller, stream, query);
    const { after, limit, type: types } = query;
    const { events, next, isMore } = await this.events.after({ after, limit, types });
    const items = events.map((event) => EventDto.from(event));
    return { events: links.from({ items, ...(isMore && { next: String(next) }) }, 'after') };
  }
}
