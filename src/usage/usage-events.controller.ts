import { Body, Controller, HttpCode, Post, UseInterceptors } from '@nestjs/common';
import { Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { IngestedEventsDto, UsageEventsDto } from './dto/usage-events.dto.js';
import { UsageIngestService } from './usage-ingest.service.js';
import { UsageSlotsInterceptor } from './usage-slots.interceptor.js';

@Controller('api/usage/events')
@UseInterceptors(UsageSlotsInterceptor)
export class UsageEventsController {
  constructor(private readonly usage: UsageIngestService) {}

  /**
   * Records what a browser reports about views of reports. Each event is accepted or rejected on its own; repeated events are
   * accepted and count once. `@vitrine/embed` sends them.
   */
  @Post()
  @HttpCode(202)
  record(@Caller() caller: Principal, @Body() { events }: UsageEventsDto): Promise<IngestedEventsDto> {
    return this.usage.ingest(caller, events);
  }
}
