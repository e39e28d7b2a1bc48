import { Badge } from '@mantine/core';
import type { User } from './use-user.js';

export const accountStatuses: { value: User['status']; label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled' },
];

export const AccountStatus = ({ status }: Pick<User, 'status'>) => (
  <Badge variant="light" color={status === 'active' ? 'green' : 'gray'}>
    {status === 'active' ? 'Active' : 'Disabled'}
  </Badge>
);
