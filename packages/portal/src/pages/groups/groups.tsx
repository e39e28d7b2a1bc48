import { Anchor, Button, Table, Text } from '@mantine/core';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { GrantSource } from '../../access/grant-source.js';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { notifyDone } from '../../components/notify.js';
import { Page } from '../../components/page.js';
import { RowCount } from '../../components/row-count.js';
import { SearchField } from '../../components/search-field.js';
import { SortHeader } from '../../components/sort-header.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { GroupDialog } from './group-dialog.js';
import { type Group, useCreateGroup } from './use-groups.js';

const GroupsTable = ({ groups }: { groups: Group[] }) => (
  <Table highlightOnHover verticalSpacing="sm" layout="fixed">
    <Table.Thead>
      <Table.Tr>
        <SortHeader label="Name" by="name" initial="name" />
        <Table.Th ta="right" w={100}>
          People
        </Table.Th>
        <Table.Th w={130} visibleFrom="sm">
          Source
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {groups.map(({ id, name, description, source, member_count }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <Anchor component={Link} to={`/groups/${id}`}>
              {name}
            </Anchor>
            {description !== null && (
              <Text size="sm" c="dimmed" lineClamp={2}>
                {description}
              </Text>
            )}
          </Table.Td>
          <Table.Td ta="right">{member_count}</Table.Td>
          <Table.Td visibleFrom="sm">
            <GrantSource source={source} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

function CreateGroup({ onClose }: { onClose: () => void }) {
  const create = useCreateGroup();
  const navigate = useNavigate();
  const show = ({ id, name }: Group) => {
    notifyDone(`Group ${name} created.`);
    void navigate(`/groups/${id}`);
  };
  return (
    <GroupDialog title="New group" action="Create group" save={create} onSaved={show} onClose={onClose} />
  );
}

export function Component() {
  const [parameters] = useSearchParams();
  const [isCreating, setIsCreating] = useParameter('new');
  const q = parameters.get('q') ?? undefined;
  const sort = parameters.get('sort') === '-name' ? '-name' : 'name';
  const list = useList(
    ['groups', 'list', q, sort],
    (cursor, signal) => api.GET('/api/groups', { params: { query: { q, sort, cursor, limit: 50 } }, signal }),
    ({ groups }) => groups,
  );
  const empty =
    q === undefined ? (
      <Empty title="No groups yet">
        Create a group to grant several people access at once. Sign-in rules can fill groups from your
        identity provider.
      </Empty>
    ) : (
      <Empty title="No groups match your search" />
    );
  return (
    <Page
      title="Groups"
      lead={<RowCount list={list} one="group" many="groups" />}
      actions={<Button onClick={() => setIsCreating('yes')}>New group</Button>}
    >
      <SearchField label="Search groups" />
      <ListView list={list} empty={empty}>
        {(groups) => <GroupsTable groups={groups} />}
      </ListView>
      {isCreating !== null && <CreateGroup onClose={() => setIsCreating(null)} />}
    </Page>
  );
}
