import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { t } from 'i18next';
import { settings } from '../../settings.js';
import { EntryPage } from '../../shell/entry-page.js';
import { ChooseForm } from './choose-form.js';
import { ProviderButton } from './provider-button.js';
import { ResetRequest } from './reset-request.js';
import { useLinkSecret } from './use-link-secret.js';

const ToSignIn = () => (
  <Anchor component={Link} to="/sign-in" size="sm">
    {t('Back to sign-in')}
  </Anchor>
);

function Content({ secret }: { secret: string | null }) {
  if (!settings.passwordSignIn) {
    return (
      <>
        <Text>{t('Password sign-in is disabled. Your organization manages your password.')}</Text>
        <ProviderButton destination="/" />
      </>
    );
  }
  if (secret !== null) return <ChooseForm key={secret} secret={secret} />;
  if (settings.mailConfigured) return <ResetRequest />;
  return <Text>{t("This portal can't send email. Ask your administrator to reset your password.")}</Text>;
}

/** With the secret of an emailed link: choose a new password. Without: request the link. */
export function Component() {
  const secret = useLinkSecret();
  const isChoosing = secret !== null && settings.passwordSignIn;
  return (
    <EntryPage title={isChoosing ? t('Choose a new password') : t('Reset your password')}>
      <Content secret={secret} />
      <ToSignIn />
    </EntryPage>
  );
}
