import { OmitType } from '#openapi';
import { IsIn } from 'class-validator';
import { ListQuery } from '../../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../../core/lists/pagination.js';
import { IsId, OptionalField } from '../../../core/validation/validators.js';
import type { WebhookDelivery } from '../webhook-delivery.entity.js';

export const deliveryStatuses = ['succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliverySortKeys: SortKeys<WebhookDelivery> = {
  at: { sql: 'delivery.at', of: (delivery) => delivery.at.toISOString() },
};

export class ListDeliveriesQuery extends OmitType(ListQuery, ['q']) {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(deliverySortKeys))
  sort: string = '-at';

  /** Returns only attempts with this status. */
  @OptionalField()
  @IsIn(deliveryStatuses)
  status?: DeliveryStatus;

  /** Returns only attempts for this event. */
  @OptionalField()
  @IsId()
  event_id?: string;
}
