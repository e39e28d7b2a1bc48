import { Anchor, Kbd, Text } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SupportLink } from '../../branding/support-link.js';
import { useBranding } from '../../branding/branding.js';
import { Page } from '../../components/page.js';
import { Section } from '../../components/section.js';

function Shortcut() {
  const { t } = useTranslation();
  return <Kbd>{/macos|ios/.test(useOs()) ? '⌘ K' : t('Ctrl K')}</Kbd>;
}

/** What readers do in the portal, and who helps. */
export function Component() {
  const { t } = useTranslation();
  const { supportUrl } = useBranding();
  return (
    <Page title={t('Help')}>
      <Section title={t('Find a report')}>
        <Text>
          <Trans
            i18nKey="Select the search at the top or press <key/>. Home shows your favourites and the reports that you opened last."
            components={{ key: <Shortcut /> }}
          />
        </Text>
      </Section>
      <Section title={t('Keep and share what you see')}>
        <Text>
          {t(
            'A saved view keeps filters, sorting and the page of a report. Copy link copies the address of what you see; it opens for users with access to the report.',
          )}
        </Text>
        <Text>
          {t('Export creates a PDF, PowerPoint or image file with the rows that you are allowed to see.')}
        </Text>
      </Section>
      <Section title={t('Get access')}>
        <Text>{t('Open the link to a report or workspace and select Request access.')}</Text>
        <Anchor component={Link} to="/access-requests">
          {t('Your access requests')}
        </Anchor>
      </Section>
      <Section title={t('Get support')}>
        {supportUrl === null ? <Text>{t('Contact an administrator of this portal.')}</Text> : <SupportLink />}
        <Anchor component={Link} to="/health">
          {t('System status')}
        </Anchor>
      </Section>
    </Page>
  );
}
