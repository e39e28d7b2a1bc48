import { Alert, Button, Group, Stack, Tabs } from '@mantine/core';
import { Link, Navigate, useParams } from 'react-router';
import { t } from 'i18next';
import { UserGrants } from '../../access/held-grants.js';
import { CheckAccess } from '../../access/check-access.js';
import { Page } from '../../components/page.js';
import { WayBack } from '../../components/way-back.js';
import { QueryView } from '../../components/query-view.js';
import { useParameter } from '../../components/use-parameter.js';
import { AccountStatus } from './account-status.js';
import { Attributes } from './attributes.js';
import { EmailAddress } from './email-address.js';
import { EmbedTokens } from './embed-tokens.js';
import { Erase } from './erase.js';
import { Identities } from './identities.js';
import { PersonalData } from './personal-data.js';
import { Profile } from './profile.js';
import { Sessions } from './sessions.js';
import { Status } from './status.js';
import { UserGroups } from './user-groups.js';
import { isPerson, isProvisioned, type Person, type User, useUser } from './use-user.js';

const tabs = ['profile', 'access', 'sign-in'];

const Lead = ({ user }: { user: User }) => (
  <Group gap="xs">
    {user.email}
    <AccountStatus status={user.status} />
  </Group>
);

const Managed = () => (
  <Alert color="blue" variant="light" title={t('Managed by your identity provider')}>
    {t(
      'Change the name and email address, disable or enable the user there. Role and access can be changed here.',
    )}
  </Alert>
);

function Parts({ user }: { user: Person }) {
  const [given, setTab] = useParameter('tab');
  const tab = given !== null && tabs.includes(given) ? given : 'profile';
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false}>
      <Tabs.List mb="lg">
        <Tabs.Tab value="profile">{t('Profile')}</Tabs.Tab>
        <Tabs.Tab value="access">{t('Access')}</Tabs.Tab>
        <Tabs.Tab value="sign-in">{t('Sign-in')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="profile">
        <Stack gap="lg">
          {isProvisioned(user) && <Managed />}
          <Profile user={user} />
          <EmailAddress user={user} />
          <Attributes userId={user.id} />
          <Status user={user} />
          <PersonalData user={user} />
          <Erase user={user} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="access">
        <Stack gap="lg">
          <UserGrants user={user} />
          <UserGroups userId={user.id} />
          <CheckAccess user={user} />
          <EmbedTokens user={user} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="sign-in">
        <Stack gap="lg">
          <Sessions user={user} />
          <Identities user={user} />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

export function Component() {
  const { id = '' } = useParams();
  const query = useUser(id);
  return (
    <Page
      title={query.data?.name ?? t('User')}
      above={<WayBack steps={[{ to: '/users', label: t('Users') }]} />}
      lead={query.data && <Lead user={query.data} />}
      actions={
        <Button component={Link} to={`/users/${id}/view-as`} variant="default">
          {t('View as')}
        </Button>
      }
    >
      <QueryView query={query}>
        {(user) =>
          isPerson(user) ? <Parts user={user} /> : <Navigate to={`/service-accounts/${user.id}`} replace />
        }
      </QueryView>
    </Page>
  );
}
