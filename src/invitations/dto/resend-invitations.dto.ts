import { IsTime } from '../../core/validation/times.js';
import { OptionalField } from '../../core/validation/validators.js';
import { BulkInvitationListDto } from './bulk-invite.dto.js';

export class ResendInvitationsDto {
  /**
   * Resends only invitations whose last email was sent at this time or before: `YYYY-MM-DD` in `USAGE_TIME_ZONE` (the start of
   * the day) or RFC 3339 with a time zone. A time of the last minute counts as one minute ago.
   */
  @OptionalField()
  @IsTime()
  mailed_before?: string;
}

export class ResentInvitationListDto extends BulkInvitationListDto {
  /** The time that applied. With it, the next request leaves out what this one resent. */
  mailed_before!: Date;
}
