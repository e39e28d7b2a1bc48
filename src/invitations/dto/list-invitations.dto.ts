import { IsIn } from 'class-validator';
import { CountedListQuery } from '../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import { OptionalField } from '../../core/validation/validators.js';
import { type Delivery, deliveries, type Invitation } from '../invitation.entity.js';
import type { InvitationStatus } from './invitation.dto.js';

export const invitationSortKeys: SortKeys<Invitation> = {
  created_at: { sql: 'invitation.createdAt', of: (invitation) => invitation.createdAt.toISOString() },
  email: { sql: 'invitation.email', of: (invitation) => invitation.email },
};

export class ListInvitationsQuery extends CountedListQuery {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(invitationSortKeys))
  sort: string = '-created_at';

  /** Returns only invitations with this status. */
  @OptionalField()
  @IsIn(['pending', 'accepted', 'expired', 'revoked'])
  status?: InvitationStatus;

  /** Returns only invitations whose email has this delivery status. */
  @OptionalField()
  @IsIn(deliveries)
  delivery?: Delivery;
}
