import { Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { Confirm } from '../../components/confirm.js';
import { HiddenHeader } from '../../components/hidden-header.js';
import { notifyDone } from '../../components/notify.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { LoadingRows } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
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
      notifyDone(t('Identity unlinked.'));
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['users'] });
    },
  });
  return (
    <Confirm
      title={t('Unlink {{identity}}?', { identity: identity.email ?? nameOf(identity) })}
      action={t('Unlink')}
      opened
      change={unlink}
      onConfirm={() => unlink.mutate()}
      onClose={onClose}
    >
      {t(
        "{{name}} can no longer sign in with this identity. Sessions started with it end, and the role, attributes and access that the provider's rules assigned are removed.",
        { name: user.name },
      )}
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
        {t('Unlink')}
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
  <WideTable minWidth={560}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Identity')}</Table.Th>
          <Table.Th>{t('Provider')}</Table.Th>
          <Table.Th>{t('Last sign-in')}</Table.Th>
          <HiddenHeader label={t('Actions')} className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {identities.map((identity) => (
          <Row key={identity.id} identity={identity} onUnlink={() => onUnlink(identity)} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);

export function Identities({ user }: { user: User }) {
  const [isLinking, setIsLinking] = useState(false);
  const [unlinking, setUnlinking] = useState<Identity>();
  const query = useQuery({
    queryKey: ['users', 'identities', user.id],
    queryFn: ({ signal }) =>
      read(api.GET('/api/users/{id}/identities', { params: { path: { id: user.id } }, signal })),
  });
  const lead = settings.identityProvider
    ? t(
        'Accounts at your identity provider that this user can sign in with. Matching email addresses are not linked automatically.',
      )
    : t('No identity provider is configured. Users sign in with a password.');
  return (
    <Section title={t('Linked identities')} lead={lead}>
      <QueryView query={query} loading={<LoadingRows rows={2} />}>
        {({ identities }) =>
          identities.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('No linked identities.')}
            </Text>
          ) : (
            <IdentitiesTable identities={identities} onUnlink={setUnlinking} />
          )
        }
      </QueryView>
      {settings.identityProvider && (
        <Group>
          <Button variant="default" onClick={() => setIsLinking(true)}>
            {t('Link identity')}
          </Button>
        </Group>
      )}
      {isLinking && <LinkIdentity user={user} onClose={() => setIsLinking(false)} />}
      {unlinking !== undefined && (
        <Unlink user={user} identity={unlinking} onClose={() => setUnlinking(undefined)} />
      )}
    </Section>
  );
}
