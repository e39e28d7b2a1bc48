import { OmitType } from '#openapi';
import { IsIn, Matches } from 'class-validator';
import { ListQuery } from '../../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../../core/lists/pagination.js';
import { IsTime } from '../../../core/validation/times.js';
import { IsId, IsIpAddress, OptionalField } from '../../../core/validation/validators.js';
import { type AuditAction, auditActions } from '../audit-actions.js';
import {
  type AuditEvent,
  type AuditOutcome,
  auditOutcomes,
  auditTargetTypes,
  type AuditTargetType,
} from '../audit-event.entity.js';

export const auditSortKeys: SortKeys<AuditEvent> = {
  at: { sql: 'event.at', of: (event) => event.at.toISOString() },
};

export class ListAuditEventsQuery extends OmitType(ListQuery, ['q']) {
  @SortedBy(auditSortKeys)
  sort: string = '-at';

  /** Returns only events with this action. */
  @OptionalField()
  @IsIn(auditActions)
  action?: AuditAction;

  @OptionalField()
  @IsIn(auditOutcomes)
  outcome?: AuditOutcome;

  /** Returns only events caused by this person or service account. */
  @OptionalField()
  @IsId()
  actor_id?: string;

  @OptionalField()
  @IsIn(auditTargetTypes)
  target_type?: AuditTargetType;

  /** Returns only events about the target with this id: a UUID or, for settings, a name such as `branding`. */
  @OptionalField()
  @Matches(/^[A-Za-z0-9._-]{1,64}$/, {
    message: 'target_id must be 1 to 64 letters, digits, periods, underscores or hyphens',
  })
  target_id?: string;

  /** Returns only events from this IPv4 or IPv6 address. */
  @OptionalField()
  @IsIpAddress()
  ip?: string;

  /** Returns only events at or after this time: `YYYY-MM-DD` in `USAGE_TIME_ZONE` or RFC 3339 with a time zone. */
  @OptionalField()
  @IsTime()
  from?: string;

  /**
   * Returns only events before this time, or until the end of this day: `YYYY-MM-DD` in `USAGE_TIME_ZONE` or RFC 3339 with a
   * time zone.
   */
  @OptionalField()
  @IsTime()
  to?: string;

  /** Returns only events of the request with this `X-Request-Id`. */
  @OptionalField()
  @Matches(/^[A-Za-z0-9._-]{1,64}$/, {
    message: 'request_id must be 1 to 64 letters, digits, periods, underscores or hyphens',
  })
  request_id?: string;
}
