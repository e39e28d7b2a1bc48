import { Button, Group as Row, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { t } from 'i18next';
import { GrantSource } from '../../access/grant-source.js';
import { HeldGrants } from '../../access/held-grants.js';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { useShowList } from '../../components/use-show-list.js';
import { useParameter } from '../../components/use-parameter.js';
import { WayBack } from '../../components/way-back.js';
import { GroupDialog } from './group-dialog.js';
import { GroupMembers } from './group-members.js';
import { type Group, useDeleteGroup, useGroup, useUpdateGroup } from './use-groups.js';

interface DialogProps {
  group: Group;
  onClose: () => void;
}

function EditGroup({ group, onClose }: DialogProps) {
  const update = useUpdateGroup(group.id);
  const close = () => {
    notifyDone(t('Group updated.'));
    onClose();
  };
  return (
    <GroupDialog
      title={t('Edit group')}
      action={t('Save')}
      save={update}
      onSaved={close}
      {...{ group, onClose }}
    />
  );
}

function DeleteGroup({ group, onClose }: DialogProps) {
  const showList = useShowList('/groups');
  const remove = useDeleteGroup(group.id, async () => {
    notifyDone(t('Group {{name}} deleted.', { name: group.name }));
    await showList();
  });
  return (
    <Confirm
      title={t('Delete {{name}}?', { name: group.name })}
      action={t('Delete group')}
      opened
      change={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t('Members lose the access that only this group grants. The members are not deleted.')}
    </Confirm>
  );
}

function Actions({ group }: { group: Group }) {
  const [dialog, setDialog] = useState<'edit' | 'delete'>();
  const onClose = () => setDialog(undefined);
  return (
    <>
      <Button component={Link} variant="default" to={`/access-review?group=${group.id}`}>
        {t('Review access')}
      </Button>
      {group.source === 'manual' && (
        <>
          <Button variant="default" onClick={() => setDialog('edit')}>
            {t('Edit')}
          </Button>
          <Button variant="light" color="red" onClick={() => setDialog('delete')}>
            {t('Delete')}
          </Button>
        </>
      )}
      {dialog === 'edit' && <EditGroup {...{ group, onClose }} />}
      {dialog === 'delete' && <DeleteGroup {...{ group, onClose }} />}
    </>
  );
}

const Lead = ({ group: { description, source, member_count } }: { group: Group }) => (
  <>
    {description !== null && <Text size="sm">{description}</Text>}
    <Row gap="xs">
      <span>{t('{{count}} members', { count: member_count })}</span>
      <GrantSource source={source} />
    </Row>
  </>
);

function Parts({ group }: { group: Group }) {
  const [tab, setTab] = useParameter('tab');
  return (
    <Tabs
      value={tab === 'access' ? tab : 'members'}
      onChange={(value) => setTab(value === 'access' ? value : null)}
      keepMounted={false}
    >
      <Tabs.List mb="lg">
        <Tabs.Tab value="members">{t('Members')}</Tabs.Tab>
        <Tabs.Tab value="access">{t('Access')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="members">
        <Stack>
          <GroupMembers group={group} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="access">
        <HeldGrants
          holder={{ type: 'group', id: group.id, name: group.name }}
          lead={t('Access of all members of this group.')}
        />
      </Tabs.Panel>
    </Tabs>
  );
}

export function Component() {
  const { id = '' } = useParams();
  const query = useGroup(id);
  const group = query.data;
  return (
    <Page
      title={group?.name ?? t('Group')}
      above={<WayBack steps={[{ to: '/groups', label: t('Groups') }]} />}
      lead={group && <Lead group={group} />}
      actions={group && <Actions group={group} />}
    >
      <QueryView query={query}>{(found) => <Parts group={found} />}</QueryView>
    </Page>
  );
}
