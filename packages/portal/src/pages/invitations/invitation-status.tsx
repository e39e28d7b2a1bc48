import { Badge } from '@mantine/core';
import { t } from 'i18next';
import type { Invitation } from './use-invitations.js';
import { statuses } from './invitation-texts.js';

const colors: Record<Invitation['status'], string> = {
  pending: 'blue',
  accepted: 'green',
  expired: 'orange',
  revoked: 'gray',
};

export const InvitationStatus = ({ status }: Pick<Invitation, 'status'>) => (
  <Badge variant="light" color={colors[status]}>
    {t(statuses[status])}
  </Badge>
);
