import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { deleteInBatches } from '../../core/database/delete-batch.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { WebhookDelivery } from './webhook.entity.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';

/** As long as the events. */
const KEEP_SECONDS = 30 * 86_400;

/** Deletes attempts after 30 days, and secrets that no longer sign; seals the others with the current key. */
@Injectable()
export class WebhookCleanupService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly secrets: WebhookSecretsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('webhook_cleanup', '17 4 * * *', () => this.remove());
  }

  async remove(): Promise<void> {
    await this.secrets.removeExpired();
    await this.secrets.reseal();
    const time = this.clock.in(-KEEP_SECONDS);
    await deleteInBatches(this.database, WebhookDelivery, { where: 'at < $1', time });
  }
}
