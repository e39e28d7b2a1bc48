import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { HttpModule } from '../../core/http/http.module.js';
import { EventsModule } from '../outbox/events.module.js';
import { EventStreamsService } from './event-streams.service.js';
import { EventsController } from './events.controller.js';

@Module({
  imports: [AuthModule, HttpModule, EventsModule],
  controllers: [EventsController],
  providers: [EventStreamsService],
})
export class EventStreamModule {}
