import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { settings } from '../../settings.js';
import { EntryPage } from '../../shell/entry-page.js';
import { ChooseForm } from './choose-form.js';
import { ProviderButton } from './provider-button.js';
import { ResetRequest } from './reset-request.js';
import { useLinkSecret } from './use-link-secret.js';

const ToSignIn = () => (
  <Anchor component={Link} to="/sign-in" size="sm">
    Back to signing in
  </Anchor>
);

function Content({ secret }: { secret: string | null }) {
  if (!settings.passwordSignIn) {
    return (
      <>
        <Text>Nobody signs in by password here. Your organisation looks after your password.</Text>
        <ProviderButton destination="/" />
      </>
    );
  }
  if (secret !== null) return <ChooseForm key={secret} secret={secret} />;
  if (settings.mailConfigured) return <ResetRequest />;
  return <Text>This Vitrine sends no mail. Ask your administrator for help with your password.</Text>;
}

/** With the secret of a mail: choose a new password. Without: ask for that mail. */
export function Component() {
  const secret = useLinkSecret();
  const isChoosing = secret !== null && settings.passwordSignIn;
  return (
    <EntryPage title={isChoosing ? 'Choose a new password' : 'Forgot your password?'}>
      <Content secret={secret} />
      <ToSignIn />
    </EntryPage>
  );
}
