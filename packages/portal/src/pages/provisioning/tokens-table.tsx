import { Anchor, Stack, Table, Text } from '@mantine/core';
import { t } from 'i18next';
import { Link } from 'react-router';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { useSecretState } from '../service-accounts/secret-state.js';
import type { ServiceAccount } from '../service-accounts/use-service-account.js';
import { AccountStatus } from '../users/account-status.js';
import { useLastChange } from './use-provisioning.js';

/** The newest first; null if none is set. */
const newest = (times: (string | null)[]): string | null =>
  times
    .filter((time) => time !== null)
    .toSorted()
    .at(-1) ?? null;

function LastChange({ id }: { id: string }) {
  const { data, isPending, isError } = useLastChange(id);
  return isPending ? null : <Time at={data?.at ?? null} none={isError ? t('Unknown') : undefined} />;
}

function Row({ account }: { account: ServiceAccount }) {
  const { color, text } = useSecretState(account);
  const used = [account.last_sign_in_at, ...account.secrets.map(({ last_used_at }) => last_used_at)];
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={0} align="flex-start">
          <Anchor component={Link} to={`/service-accounts/${account.id}`}>
            {account.name}
          </Anchor>
          <Text size="xs" c={color === 'gray' ? 'dimmed' : `var(--mantine-color-${color}-light-color)`}>
            {text}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td>
        <AccountStatus status={account.status} />
      </Table.Td>
      <Table.Td>
        <Time at={newest(used)} />
      </Table.Td>
      <Table.Td>
        <LastChange id={account.id} />
      </Table.Td>
      <Table.Td>
        <Anchor
          component={Link}
          size="sm"
          to={`/audit?actor_id=${account.id}`}
          aria-label={t('View activity: {{name}}', { name: account.name })}
        >
          {t('View activity')}
        </Anchor>
      </Table.Td>
    </Table.Tr>
  );
}

export const TokensTable = ({ accounts }: { accounts: ServiceAccount[] }) => (
  <WideTable minWidth={640}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Name')}</Table.Th>
          <Table.Th>{t('Status')}</Table.Th>
          <Table.Th>{t('Last request')}</Table.Th>
          <Table.Th>{t('Last change')}</Table.Th>
          <Table.Th>{t('Activity')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {accounts.map((account) => (
          <Row key={account.id} account={account} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
