import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconBan } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { queryClient } from '../../api/query-client.js';
import { principals } from '../../api/sources.js';
import { useList } from '../../api/use-list.js';
import { Confirm } from '../../components/confirm.js';
import { HiddenHeader } from '../../components/hidden-header.js';
import { ListView } from '../../components/list-view.js';
import { NameOf } from '../../components/name-of.js';
import { notifyDone } from '../../components/notify.js';
import { Empty } from '../../components/states.js';
import { exactly, Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { type Revocation, RevocationScope } from './revocation-scope.js';
import { RevokeDialog } from './revoke-dialog.js';

function RemoveBlock({ revocation, onClose }: { revocation: Revocation; onClose: () => void }) {
  const removal = useMutation({
    mutationFn: () =>
      read(api.DELETE('/api/embed-grants/revocations/{id}', { params: { path: { id: revocation.id } } })),
    onSuccess: () => {
      notifyDone(t('Block removed'));
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['embed-revocations'] });
    },
  });
  return (
    <Confirm
      title={t('Remove block?')}
      action={t('Remove block')}
      opened
      change={removal}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('Embed tokens can be issued again for:')}</Text>
      <Text size="sm">
        <RevocationScope revocation={revocation} />
      </Text>
    </Confirm>
  );
}

interface TableProps {
  revocations: Revocation[];
  onRemove: (revocation: Revocation) => void;
}

interface RowProps extends Pick<TableProps, 'onRemove'> {
  revocation: Revocation;
}

const Row = memo(({ revocation, onRemove }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      <RevocationScope revocation={revocation} />
    </Table.Td>
    <Table.Td>{revocation.reason ?? '–'}</Table.Td>
    <Table.Td>
      <NameOf source={principals} id={revocation.revoked_by} />
    </Table.Td>
    <Table.Td>
      <Time at={revocation.revoked_at} />
    </Table.Td>
    <Table.Td className="row-actions" ta="right">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('Remove block of {{time}}', { time: exactly(revocation.revoked_at) })}
        onClick={() => onRemove(revocation)}
      >
        {t('Remove')}
      </Button>
    </Table.Td>
  </Table.Tr>
));

const RevocationTable = ({ revocations, onRemove }: TableProps) => (
  <WideTable minWidth={720}>
    <Table highlightOnHover verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Applies to')}</Table.Th>
          <Table.Th>{t('Reason')}</Table.Th>
          <Table.Th>{t('Blocked by')}</Table.Th>
          <Table.Th>{t('Since')}</Table.Th>
          <HiddenHeader label={t('Actions')} className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {revocations.map((revocation) => (
          <Row key={revocation.id} revocation={revocation} onRemove={onRemove} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);

/** The active blocks. */
export function RevocationsTab() {
  const [revoking, setRevoking] = useState(false);
  const [removing, setRemoving] = useState<Revocation | null>(null);
  const list = useList(
    ['embed-revocations'],
    (cursor, signal) =>
      api.GET('/api/embed-grants/revocations', {
        params: { query: { cursor, limit: 50, sort: '-revoked_at' } },
        signal,
      }),
    ({ embed_revocations }) => embed_revocations,
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm">{t('No embed tokens are issued for these, regardless of access.')}</Text>
        <Button color="red" leftSection={<IconBan size={16} aria-hidden />} onClick={() => setRevoking(true)}>
          {t('Block embedding')}
        </Button>
      </Group>
      <ListView
        list={list}
        empty={<Empty title={t('No blocks')}>{t('Users can open every report they have access to.')}</Empty>}
      >
        {(revocations) => <RevocationTable revocations={revocations} onRemove={setRemoving} />}
      </ListView>
      {revoking && (
        <RevokeDialog
          scope={{ user: null, report: null, workspace: null }}
          onClose={() => setRevoking(false)}
        />
      )}
      {removing !== null && <RemoveBlock revocation={removing} onClose={() => setRemoving(null)} />}
    </Stack>
  );
}
