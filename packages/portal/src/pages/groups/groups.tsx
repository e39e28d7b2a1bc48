import { Anchor, Button, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { t } from 'i18next';
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
import { useNewDialog } from '../../components/use-new-dialog.js';
import { formatNumber } from '../../i18n/format.js';
import { GroupDialog } from './group-dialog.js';
import { type Group, useCreateGroup } from './use-groups.js';

/** On a phone, the source is below the name. */
const Row = memo(({ group: { id, name, description, source, member_count } }: { group: Group }) => (
  <Table.Tr>
    <Table.Td>
      <Anchor component={Link} to={`/groups/${id}`}>
        {name}
      </Anchor>
      {description !== null && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {description}
        </Text>
      )}
      <Text component="div" size="sm" hiddenFrom="sm">
        <GrantSource source={source} />
      </Text>
    </Table.Td>
    <Table.Td ta="right">{formatNumber(member_count)}</Table.Td>
    <Table.Td visibleFrom="sm">
      <GrantSource source={source} />
    </Table.Td>
  </Table.Tr>
));

const GroupsTable = ({ groups }: { groups: Group[] }) => (
  <Table highlightOnHover verticalSpacing="sm" layout="fixed">
    <Table.Thead>
      <Table.Tr>
        <SortHeader label={t('Name')} by="name" initial="name" />
        <Table.Th ta="right" w={100}>
          {t('Members')}
        </Table.Th>
        <Table.Th w={130} visibleFrom="sm">
          {t('Source')}
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {groups.map((group) => (
        <Row key={group.id} group={group} />
      ))}
    </Table.Tbody>
  </Table>
);

function CreateGroup({ onClose }: { onClose: () => void }) {
  const create = useCreateGroup();
  const navigate = useNavigate();
  const show = ({ id, name }: Group) => {
    notifyDone(t('Group {{name}} created.', { name }));
    void navigate(`/groups/${id}`);
  };
  return (
    <GroupDialog
      title={t('New group')}
      action={t('Create group')}
      save={create}
      onSaved={show}
      onClose={onClose}
    />
  );
}

export function Component() {
  const [parameters] = useSearchParams();
  const creating = useNewDialog();
  const q = parameters.get('q') ?? undefined;
  const sort = parameters.get('sort') === '-name' ? '-name' : 'name';
  const list = useList(
    ['groups', 'list', q, sort],
    (cursor, signal) =>
      api.GET('/api/groups', { params: { query: { q, sort, cursor, limit: 50, count: true } }, signal }),
    ({ groups }) => groups,
  );
  const empty =
    q === undefined ? (
      <Empty title={t('No groups yet')}>
        {t(
          'Create a group to grant access to several users at once. Groups can also be managed by your identity provider.',
        )}
      </Empty>
    ) : (
      <Empty title={t('No groups match your search')} />
    );
  return (
    <Page
      title={t('Groups')}
      lead={<RowCount list={list}>{(count) => t('{{count}} groups', { count })}</RowCount>}
      actions={<Button onClick={creating.open}>{t('New group')}</Button>}
    >
      <SearchField label={t('Search groups')} />
      <ListView list={list} empty={empty}>
        {(groups) => <GroupsTable groups={groups} />}
      </ListView>
      {creating.isOpen && <CreateGroup onClose={creating.close} />}
    </Page>
  );
}
