import { Badge } from '@mantine/core';
import type { Invitation } from './use-invitations.js';
import { statuses } from './words.js';

export const InvitationStatus = ({ status }: Pick<Invitation, 'status'>) => {
  const known = statuses.find(({ value }) => value === status);
  return (
    <Badge variant="light" color={known?.color}>
      {known?.label}
    </Badge>
  );
};
