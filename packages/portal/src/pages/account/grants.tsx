import { Badge, Group, Table, Text } from '@mantine/core';
import { t } from 'i18next';
import { roleName } from '../../access/roles.js';
import { LoadingRows, ProblemAlert } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { isAdmin, type Me } from '../../session/use-session.js';
import { Section } from './section.js';
import { useWorkspaceNames, WorkspaceName } from './workspace-names.js';

type Grant = Me['grants'][number];

const leadOf = (me: Me): string => {
  if (isAdmin(me)) return t('As an admin, you can view and manage all workspaces.');
  if (me.grants.length > 0)
    return t('Viewers can view reports, editors can also edit them, and managers can also manage access.');
  return t("You don't have access to any workspaces yet. Ask a workspace manager or an admin for access.");
};

const Row = ({ grant, name }: { grant: Grant; name: string | undefined }) => (
  <Table.Tr>
    <Table.Td>
      <WorkspaceName id={grant.workspace_id} name={name} />
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

function Rows({ grants }: { grants: Grant[] }) {
  const names = useWorkspaceNames();
  if (names.error !== null) return <ProblemAlert error={names.error} onRetry={() => void names.refetch()} />;
  if (names.data === undefined) return <LoadingRows rows={grants.length} />;
  return (
    <Table.ScrollContainer minWidth={320}>
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
            <Row key={index} grant={grant} name={names.data.get(grant.workspace_id)} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

export const Grants = ({ me }: { me: Me }) => (
  <Section title={t('Your workspaces')}>
    <Text size="sm">{leadOf(me)}</Text>
    {me.grants.length > 0 && <Rows grants={me.grants} />}
  </Section>
);
