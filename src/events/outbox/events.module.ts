import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventDrainService } from './event-drain.service.js';
import { EventFeedService } from './event-feed.service.js';
import { EventsService } from './events.service.js';
import { EventSequence, StoredEvent } from './stored-event.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([StoredEvent, EventSequence])],
  providers: [EventsService, EventFeedService, EventDrainService],
  exports: [EventsService, EventFeedService],
})
export class EventsModule {}
