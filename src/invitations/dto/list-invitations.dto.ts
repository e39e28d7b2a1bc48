import { IsIn } from 'class-validator';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import { OptionalField } from '../../core/validation/validators.js';
import { type Delivery, deliveries, type Invitation } from '../invitation.entity.js';
import type { InvitationStatus } from './invitation.dto.js';

export const invitationSortKeys: SortKeys<Invitation> = {
  created_at: { sql: 'invitation.createdAt', of: (invitation) => invitation.createdAt.toISOString() },
  email: { sql: 'invitation.email', of: (invitation) => invitation.email },
};

export class ListInvitationsQuery extends ListQuery {
  /** Order of the list; a leading `-` turns it round. */
  @OptionalField()
  @IsIn(sortNames(invitationSortKeys))
  sort: string = '-created_at';

  /** Only invitations of this status. */
  @OptionalField()
  @IsIn(['pending', 'accepted', 'expired', 'revoked'])
  status?: InvitationStatus;

  /** Only invitations whose mail came this far. */
  @OptionalField()
  @IsIn(deliveries)
  delivery?: Delivery;
}
