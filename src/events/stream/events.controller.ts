import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, getSchemaPath } from '#openapi';
import { AdminOnly, Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import { EventListDto } from './dto/event.dto.js';
import { ListEventsQuery } from './dto/list-events.dto.js';
import { EventListService } from './event-list.service.js';
import { EventStreamsService } from './event-streams.service.js';
import { EVENT_STREAM, RequestedStream, type StreamRequest } from './requested-stream.js';

const page = { schema: { $ref: getSchemaPath(EventListDto) } };
const stream = { schema: { type: 'string' } };

@Controller('api/events')
@AdminOnly()
@ApiExtraModels(EventListDto)
export class EventsController {
  constructor(
    private readonly events: EventListService,
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
    return stream === null
      ? { events: links.from(await this.events.list(query), 'after') }
      : this.streams.open(caller, stream, query);
  }
}
