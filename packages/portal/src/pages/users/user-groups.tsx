import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { t } from 'i18next';
import { GrantSource, Through } from '../../access/grant-source.js';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { Section } from '../../components/section.js';
import { WideTable } from '../../components/wide-table.js';

const None = () => (
  <Text size="sm" c="dimmed">
    {t('In no group')}
  </Text>
);

/** The groups that contain a user or service account, directly or through other groups. */
export function UserGroups({ userId }: { userId: string }) {
  const list = useList(
    ['groups', 'of-user', userId],
    (cursor, signal) =>
      api.GET('/api/users/{id}/groups', {
        params: { path: { id: userId }, query: { cursor, limit: 50 } },
        signal,
      }),
    ({ groups }) => groups,
  );
  return (
    <Section title={t('Groups')}>
      <ListView list={list} empty={<None />}>
        {(groups) => (
          <WideTable minWidth={480}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Group')}</Table.Th>
                  <Table.Th>{t('Through')}</Table.Th>
                  <Table.Th>{t('Source')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {groups.map(({ id, name, path, source }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <Anchor component={Link} to={`/groups/${id}`}>
                        {name}
                      </Anchor>
                    </Table.Td>
                    <Table.Td>
                      <Through path={path} />
                    </Table.Td>
                    <Table.Td>
                      <GrantSource source={source} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </WideTable>
        )}
      </ListView>
    </Section>
  );
}
