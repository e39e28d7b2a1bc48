import { Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from 'i18next';
import { GrantSource } from '../../access/grant-source.js';
import { api } from '../../api/client.js';
import { nextCursorOf } from '../../api/use-list.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { formatNumber } from '../../i18n/format.js';
import type { User } from '../users/use-user.js';

const sources = ['scim', 'provider', 'manual'] as const;
type Source = (typeof sources)[number];

/** The most that a list returns at once. */
const MAX_ROWS = 1000;

interface Counts {
  bySource: Record<Source, number>;
  isPartial: boolean;
}

function countsOf(found: readonly { source?: Source }[], response: Response): Counts {
  const count = (source: Source) => found.filter((row) => (row.source ?? 'manual') === source).length;
  const bySource = { scim: count('scim'), provider: count('provider'), manual: count('manual') };
  return { bySource, isPartial: nextCursorOf(response.headers.get('Link')) !== undefined };
}

const useCounts = () =>
  useQuery({
    queryKey: ['provisioning', 'counts'],
    queryFn: async ({ signal }) => {
      const [users, groups] = await Promise.all([
        api.GET('/api/users', { params: { query: { limit: MAX_ROWS, kind: 'person' } }, signal }),
        api.GET('/api/groups', { params: { query: { limit: MAX_ROWS } }, signal }),
      ]);
      const people: User[] = users.data?.users ?? [];
      return {
        users: countsOf(people, users.response),
        groups: countsOf(groups.data?.groups ?? [], groups.response),
      };
    },
  });

const Count = ({ counts: { bySource, isPartial }, source }: { counts: Counts; source: Source }) => (
  <Table.Td ta="right">
    {formatNumber(bySource[source])}
    {isPartial && '+'}
  </Table.Td>
);

/** How many users and groups are managed where. */
export function Sources() {
  const counts = useCounts();
  return (
    <Section
      title={t('Users and groups by source')}
      lead={t('What SCIM manages can only be changed in your identity provider.')}
    >
      <QueryView query={counts}>
        {({ users, groups }) => (
          <Stack gap="xs">
            <Table maw={480}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Source')}</Table.Th>
                  <Table.Th ta="right">{t('Users')}</Table.Th>
                  <Table.Th ta="right">{t('Groups')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {sources.map((source) => (
                  <Table.Tr key={source}>
                    <Table.Td>
                      <GrantSource source={source} />
                    </Table.Td>
                    <Count counts={users} source={source} />
                    <Count counts={groups} source={source} />
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            {(users.isPartial || groups.isPartial) && (
              <Text size="xs" c="dimmed">
                {t('Counted among the first {{rows}} users and groups.', { rows: MAX_ROWS })}
              </Text>
            )}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}
