import { OmitType } from '#openapi';
import { IsIn } from 'class-validator';
import { ListQuery } from '../../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../../core/lists/pagination.js';
import { OptionalField } from '../../../core/validation/validators.js';
import { type Webhook, type WebhookStatus, webhookStatuses } from '../webhook.entity.js';

export const webhookSortKeys: SortKeys<Webhook> = {
  created_at: { sql: 'webhook.createdAt', of: (webhook) => webhook.createdAt.toISOString() },
};

export class ListWebhooksQuery extends OmitType(ListQuery, ['q']) {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(webhookSortKeys))
  sort: string = 'created_at';

  /** Returns only webhooks with this status. */
  @OptionalField()
  @IsIn(webhookStatuses)
  status?: WebhookStatus;
}
