import { Tabs } from '@mantine/core';
import { t } from 'i18next';
import { Page } from '../../components/page.js';
import { useParameter } from '../../components/use-parameter.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { CheckTab } from './check-tab.js';
import { GrantsTab } from './grants-tab.js';
import { RevocationsTab } from './revocations-tab.js';

const tabs = ['check', 'tokens', 'revocations'];

function AdminTabs() {
  const [given, setTab] = useParameter('tab');
  const tab = tabs.find((each) => each === given) ?? 'check';
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="check">{t('Check')}</Tabs.Tab>
        <Tabs.Tab value="tokens">{t('Issued tokens')}</Tabs.Tab>
        <Tabs.Tab value="revocations">{t('Blocks')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="check">
        <CheckTab admin />
      </Tabs.Panel>
      <Tabs.Panel value="tokens">
        <GrantsTab />
      </Tabs.Panel>
      <Tabs.Panel value="revocations">
        <RevocationsTab />
      </Tabs.Panel>
    </Tabs>
  );
}

/** Managers check the reports of their workspaces; administrators see issued tokens and blocks, too. */
export function Component() {
  const { data: me } = useMe();
  return (
    <Page
      title={t('Embedding')}
      lead={isAdmin(me) ? t('Embed diagnostics, issued tokens and blocks') : t('Embed diagnostics')}
    >
      {isAdmin(me) ? <AdminTabs /> : <CheckTab admin={false} />}
    </Page>
  );
}
