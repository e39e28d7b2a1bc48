import { Injectable } from '@nestjs/common';
import type { Page } from '../../core/lists/pagination.js';
import { EventsService } from '../outbox/events.service.js';
import { EventDto } from './dto/event.dto.js';
import type { ListEventsQuery } from './dto/list-events.dto.js';

@Injectable()
export class EventListService {
  constructor(private readonly events: EventsService) {}

  /** Throws EventsExpired and UnknownPosition. */
  async list({ after, type, limit }: ListEventsQuery): Promise<Page<EventDto>> {
    const { events, next, isMore } = await this.events.after({ after, limit, types: type });
    const items = events.map((event) => EventDto.from(event));
    return isMore ? { items, next: String(next) } : { items };
  }
}
