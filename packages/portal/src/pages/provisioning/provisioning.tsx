import { Anchor, Button, Stack } from '@mantine/core';
import { t } from 'i18next';
import { CopyField } from '../../components/copy-field.js';
import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { Empty } from '../../components/states.js';
import { useNewDialog } from '../../components/use-new-dialog.js';
import { CreateToken } from './create-token.js';
import { Sources } from './sources.js';
import { TokensTable } from './tokens-table.js';
import { scimUrl, useTokens } from './use-provisioning.js';

/** The API reference is served with the service. */
const DOCS = 'https://datatracker.ietf.org/doc/html/rfc7644';

export function Component() {
  const tokens = useTokens();
  const creating = useNewDialog();
  return (
    <Page
      title={t('Provisioning')}
      lead={t('Your identity provider creates, updates and disables users and groups through SCIM 2.0.')}
      actions={<Button onClick={creating.open}>{t('New provisioning token')}</Button>}
    >
      <Section title={t('Connection')}>
        <Stack maw={640} gap="xs">
          <CopyField label={t('SCIM base URL')} value={scimUrl} />
          <Anchor href={DOCS} target="_blank" rel="noreferrer" size="sm">
            {t('About SCIM 2.0')}
          </Anchor>
        </Stack>
      </Section>
      <Section
        title={t('Tokens')}
        lead={t('Service accounts with the scope “scim”. Use one for each system.')}
      >
        <QueryView query={tokens}>
          {(accounts) =>
            accounts.length === 0 ? (
              <Empty order={3} title={t('No provisioning tokens yet')}>
                {t('Create a token and enter it in your identity provider.')}
              </Empty>
            ) : (
              <TokensTable accounts={accounts} />
            )
          }
        </QueryView>
      </Section>
      <Sources />
      {creating.isOpen && <CreateToken onClose={creating.close} />}
    </Page>
  );
}
