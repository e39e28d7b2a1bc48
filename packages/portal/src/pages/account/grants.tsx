import { Badge, Group, Table, Text } from '@mantine/core';
import { LoadingRows, ProblemAlert } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { isAdmin, type Me } from '../../session/use-session.js';
import { Section } from './section.js';
import { useWorkspaceNames, WorkspaceName } from './workspace-names.js';

type Grant = Me['grants'][number];

const roles = { viewer: 'Viewer', editor: 'Editor', manager: 'Manager' };

const leadOf = (me: Me): string => {
  if (isAdmin(me)) return 'As an administrator you see and manage every workspace, also without a grant.';
  if (me.grants.length > 0) return 'Viewers see reports, editors change them, managers let others in.';
  return 'You see no workspace yet. A manager of a workspace, or an administrator, can let you in.';
};

const Row = ({ grant, name }: { grant: Grant; name: string | undefined }) => (
  <Table.Tr>
    <Table.Td>
      <WorkspaceName id={grant.workspace_id} name={name} />
      {grant.report_name !== null && ` › ${grant.report_name}`}
    </Table.Td>
    <Table.Td>
      <Group gap="xs">
        {roles[grant.role]}
        {grant.path.length > 0 && (
          <Badge variant="light" tt="none">
            {grant.path[0]}
          </Badge>
        )}
        {grant.path.length === 0 && grant.source !== 'manual' && (
          <Badge variant="light">by your organisation</Badge>
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
            <Table.Th>Workspace</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Th>Expires</Table.Th>
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
  <Section title="Your workspaces">
    <Text size="sm">{leadOf(me)}</Text>
    {me.grants.length > 0 && <Rows grants={me.grants} />}
  </Section>
);
