import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { t } from 'i18next';
import { Link } from 'react-router';
import { RequestAccessButton } from '../../access/request-access-hint.js';
import { roleName } from '../../access/roles.js';
import { api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { isAdmin, type Me } from '../../session/use-session.js';
import { Section } from './section.js';

type Grant = components['schemas']['GrantDto'];

const hasGrants = ({ grant_counts: { workspaces, reports } }: Me): boolean => workspaces + reports > 0;

const leadOf = (me: Me): string => {
  if (isAdmin(me)) return t('As an administrator, you can view and manage all workspaces.');
  if (hasGrants(me))
    return t('Viewers can view reports, editors can also edit them, and managers can also manage access.');
  return t(
    "You don't have access to any workspaces yet. Ask a workspace manager or an administrator for access.",
  );
};

const Row = ({ grant }: { grant: Grant }) => (
  <Table.Tr>
    <Table.Td>
      <Anchor component={Link} to={`/workspaces/${grant.workspace_id}`}>
        {grant.workspace_name}
      </Anchor>
      {grant.report_name !== null && ` › ${grant.report_name}`}
    </Table.Td>
    <Table.Td>
      <Group gap="xs">
        {roleName(grant.role)}
        {grant.path.length > 0 && (
          <Badge variant="light" tt="none">
            {grant.path[0]}
          </Badge>
        )}
        {grant.path.length === 0 && grant.source !== 'manual' && (
          <Badge variant="light">{t('SSO rule')}</Badge>
        )}
      </Group>
    </Table.Td>
    <Table.Td>
      <Time at={grant.expires_at} />
    </Table.Td>
  </Table.Tr>
);

function Rows() {
  const list = useList(
    ['me', 'grants'],
    (cursor, signal) => api.GET('/api/users/me/grants', { params: { query: { cursor, limit: 50 } }, signal }),
    ({ grants }) => grants,
  );
  return (
    <ListView list={list} empty={null}>
      {(grants) => (
        <WideTable minWidth={320}>
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Workspace')}</Table.Th>
                <Table.Th>{t('Role')}</Table.Th>
                <Table.Th>{t('Expires')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {grants.map((grant, index) => (
                <Row key={index} grant={grant} />
              ))}
            </Table.Tbody>
          </Table>
        </WideTable>
      )}
    </ListView>
  );
}

export const Grants = ({ me }: { me: Me }) => (
  <Section title={t('Your workspaces')}>
    <Text size="sm">{leadOf(me)}</Text>
    {hasGrants(me) && <Rows />}
    {!hasGrants(me) && !isAdmin(me) && (
      <div>
        <RequestAccessButton />
      </div>
    )}
  </Section>
);
