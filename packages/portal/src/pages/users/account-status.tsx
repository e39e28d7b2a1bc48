import { Badge } from '@mantine/core';
import { t } from 'i18next';
import { msg } from '../../i18n/index.js';
import type { User } from './use-user.js';

export const accountStatuses: Record<User['status'], string> = {
  active: msg('Active'),
  disabled: msg('Disabled'),
};

export const AccountStatus = ({ status }: Pick<User, 'status'>) => (
  <Badge variant="light" color={status === 'active' ? 'green' : 'gray'}>
    {t(accountStatuses[status])}
  </Badge>
);
