import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { Sealer } from '../../core/crypto/sealer.js';
import { EventsModule } from '../outbox/events.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { HostResolverService } from './host-resolver.service.js';
import { ReceiversService } from './receivers.service.js';
import { WebhookAttemptsService } from './webhook-attempts.service.js';
import { WebhookCleanupService } from './webhook-cleanup.service.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { Webhook, WebhookDelivery, WebhookRedelivery, WebhookSecret } from './webhook.entity.js';
import { WebhookDispatcherService } from './webhook-dispatcher.service.js';
import { WebhookEventsService } from './webhook-events.service.js';
import { WebhookHttpService } from './webhook-http.service.js';
import { WebhookMailService } from './webhook-mail.service.js';
import { WebhookOutcomesService } from './webhook-outcomes.service.js';
import { WebhookPingService } from './webhook-ping.service.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookWorkerService } from './webhook-worker.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [
    AuditModule,
    EventsModule,
    MailModule,
    TypeOrmModule.forFeature([Webhook, WebhookSecret, WebhookDelivery, WebhookRedelivery]),
  ],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    WebhooksService,
    WebhookSecretsService,
    WebhookDeliveriesService,
    WebhookPingService,
    WebhookDispatcherService,
    WebhookWorkerService,
    WebhookAttemptsService,
    WebhookOutcomesService,
    WebhookEventsService,
    WebhookHttpService,
    WebhookMailService,
    WebhookCleanupService,
    ReceiversService,
    HostResolverService,
    Sealer,
  ],
})
export class WebhooksModule {}
