import { Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { LoadingRows } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { settings } from '../../settings.js';
import { LinkIdentity } from './link-identity.js';
import type { User } from './use-user.js';

type Identity = components['schemas']['IdentityDto'];

const nameOf = ({ subject, object_id }: Identity): string => subject ?? object_id ?? '';

function Unlink({ user, identity, onClose }: { user: User; identity: Identity; onClose: () => void }) {
  const queryClient = useQueryClient();
  const unlink = useMutation({
    mutationFn: () =>
      api.DELETE('/api/users/{id}/identities/{identity_id}', {
        params: { path: { id: user.id, identity_id: identity.id } },
      }),
    onSuccess: () => {
      notifyDone('The identity was unlinked.');
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['users'] });
    },
  });
  return (
    <Confirm
      title={`Unlink ${identity.email ?? nameOf(identity)}?`}
      action="Unlink"
      opened
      pending={unlink.isPending}
      error={unlink.error}
      onConfirm={() => unlink.mutate()}
      onClose={onClose}
    >
      {user.name} cannot sign in through the provider as this identity any more. Sessions that began there
      end, and what the provider’s rules gave (role, attributes, access) is taken back.
    </Confirm>
  );
}

const Row = ({ identity, onUnlink }: { identity: Identity; onUnlink: () => void }) => (
  <Table.Tr>
    <Table.Td>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {nameOf(identity)}
      </Text>
      <Text size="xs" c="dimmed">
        {identity.email}
      </Text>
    </Table.Td>
    <Table.Td>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {identity.issuer}
      </Text>
    </Table.Td>
    <Table.Td>
      <Time at={identity.last_sign_in_at} />
    </Table.Td>
    <Table.Td className="row-actions" ta="right">
      <Button size="compact-sm" variant="default" onClick={onUnlink}>
        Unlink
      </Button>
    </Table.Td>
  </Table.Tr>
);

const IdentitiesTable = ({
  identities,
  onUnlink,
}: {
  identities: Identity[];
  onUnlink: (identity: Identity) => void;
}) => (
  <Table.ScrollContainer minWidth={560}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Known there as</Table.Th>
          <Table.Th>Provider</Table.Th>
          <Table.Th>Last sign-in</Table.Th>
          <Table.Th aria-label="Actions" className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {identities.map((identity) => (
          <Row key={identity.id} identity={identity} onUnlink={() => onUnlink(identity)} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

export function Identities({ user }: { user: User }) {
  const [links, setLinks] = useState(false);
  const [unlinks, setUnlinks] = useState<Identity>();
  const query = useQuery({
    queryKey: ['users', 'identities', user.id],
    queryFn: ({ signal }) =>
      read(api.GET('/api/users/{id}/identities', { params: { path: { id: user.id } }, signal })),
  });
  const lead = settings.identityProvider
    ? 'Who this person is at the identity provider. Nobody is linked by e-mail alone.'
    : 'There is no identity provider here: people sign in by password.';
  return (
    <Section title="Identities" lead={lead}>
      <QueryView query={query} loading={<LoadingRows rows={2} />}>
        {({ identities }) =>
          identities.length === 0 ? (
            <Text size="sm" c="dimmed">
              No identity is linked.
            </Text>
          ) : (
            <IdentitiesTable identities={identities} onUnlink={setUnlinks} />
          )
        }
      </QueryView>
      {settings.identityProvider && (
        <Group>
          <Button variant="default" onClick={() => setLinks(true)}>
            Link an identity
          </Button>
        </Group>
      )}
      {links && <LinkIdentity user={user} onClose={() => setLinks(false)} />}
      {unlinks !== undefined && (
        <Unlink user={user} identity={unlinks} onClose={() => setUnlinks(undefined)} />
      )}
    </Section>
  );
}
