import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { api, read } from '../../api/client.js';
import { queryClient } from '../../api/query-client.js';
import { principals } from '../../api/sources.js';
import { useList } from '../../api/use-list.js';
import { Confirm } from '../../components/confirm.js';
import { ListView } from '../../components/list-view.js';
import { NameOf } from '../../components/name-of.js';
import { notifyDone } from '../../components/notify.js';
import { Empty } from '../../components/states.js';
import { exactly, Time } from '../../components/time.js';
import { type Revocation, RevocationScope } from './revocation-scope.js';
import { RevokeDialog } from './revoke-dialog.js';

function Lift({ revocation, onClose }: { revocation: Revocation; onClose: () => void }) {
  const lift = useMutation({
    mutationFn: () =>
      read(api.DELETE('/api/embed-grants/revocations/{id}', { params: { path: { id: revocation.id } } })),
    onSuccess: () => {
      notifyDone('The revocation is lifted.');
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['embed-revocations'] });
    },
  });
  return (
    <Confirm
      title="Lift the revocation?"
      action="Lift"
      opened
      pending={lift.isPending}
      error={lift.error}
      onConfirm={() => lift.mutate()}
      onClose={onClose}
    >
      Embed tokens are issued again: <RevocationScope revocation={revocation} />.
    </Confirm>
  );
}

interface TableProps {
  revocations: Revocation[];
  onLift: (revocation: Revocation) => void;
}

const RevocationTable = ({ revocations, onLift }: TableProps) => (
  <Table.ScrollContainer minWidth={720}>
    <Table highlightOnHover verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Refused</Table.Th>
          <Table.Th>Reason</Table.Th>
          <Table.Th>By</Table.Th>
          <Table.Th>Since</Table.Th>
          <Table.Th aria-label="Actions" className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {revocations.map((revocation) => (
          <Table.Tr key={revocation.id}>
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
                aria-label={`Lift the revocation of ${exactly(revocation.revoked_at)}`}
                onClick={() => onLift(revocation)}
              >
                Lift
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

/** The revocations that are in force. */
export function RevocationsTab() {
  const [revoking, setRevoking] = useState(false);
  const [lifting, setLifting] = useState<Revocation | null>(null);
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
        <Text size="sm">Where no embed tokens are issued, whatever somebody was granted.</Text>
        <Button color="red" leftSection={<IconBan size={16} aria-hidden />} onClick={() => setRevoking(true)}>
          Revoke embedding
        </Button>
      </Group>
      <ListView
        list={list}
        empty={<Empty title="Nothing is revoked">Everybody opens what they were granted.</Empty>}
      >
        {(revocations) => <RevocationTable revocations={revocations} onLift={setLifting} />}
      </ListView>
      {revoking && (
        <RevokeDialog
          scope={{ user: null, report: null, workspace: null }}
          onClose={() => setRevoking(false)}
        />
      )}
      {lifting !== null && <Lift revocation={lifting} onClose={() => setLifting(null)} />}
    </Stack>
  );
}
