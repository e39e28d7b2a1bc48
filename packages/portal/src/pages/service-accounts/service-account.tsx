import { Group, Stack } from '@mantine/core';
import { Trans } from 'react-i18next';
import { useParams } from 'react-router';
import { t } from 'i18next';
import { AttributesEditor } from '../../access/attributes-editor.js';
import { CheckAccess } from '../../access/check-access.js';
import { UserGrants } from '../../access/held-grants.js';
import { Page } from '../../components/page.js';
import { WayBack } from '../../components/way-back.js';
import { QueryView } from '../../components/query-view.js';
import { Time } from '../../components/time.js';
import { AccountStatus } from '../users/account-status.js';
import { AccountProfile } from './account-profile.js';
import { Ending } from './ending.js';
import { Secrets } from './secrets.js';
import {
  loadAccount,
  type ServiceAccount,
  useChangeAccount,
  useServiceAccount,
} from './use-service-account.js';

const Lead = ({ account }: { account: ServiceAccount }) => (
  <Group gap="xs">
    <AccountStatus status={account.status} />
    <span>
      <Trans i18nKey="Last used: <time />" components={{ time: <Time at={account.last_sign_in_at} /> }} />
    </span>
  </Group>
);

function Parts({ account }: { account: ServiceAccount }) {
  const change = useChangeAccount(account.id);
  return (
    <Stack gap="lg">
      <Secrets account={account} />
      <AccountProfile account={account} />
      <UserGrants user={account} />
      <CheckAccess user={account} />
      <AttributesEditor
        attributes={account.attributes}
        load={async () => (await loadAccount(account.id)).attributes}
        save={(attributes) => change.mutateAsync({ attributes })}
      />
      <Ending account={account} />
    </Stack>
  );
}

export function Component() {
  const { id = '' } = useParams();
  const query = useServiceAccount(id);
  return (
    <Page
      title={query.data?.name ?? t('Service account')}
      above={<WayBack steps={[{ to: '/service-accounts', label: t('Service accounts') }]} />}
      lead={query.data && <Lead account={query.data} />}
    >
      <QueryView query={query}>{(account) => <Parts account={account} />}</QueryView>
    </Page>
  );
}
