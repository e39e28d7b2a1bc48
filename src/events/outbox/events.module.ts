import { Module } from '@nestjs/common';
import { EventDrainService } from './event-drain.service.js';
import { EventFeedService } from './event-feed.service.js';
import { EventRetentionService } from './event-retention.service.js';
import { EventsService } from './events.service.js';

@Module({
  providers: [EventsService, EventFeedService, EventDrainService, EventRetentionService],
  exports: [EventsService, EventFeedService, EventRetentionService],
})
export class EventsModule {}
