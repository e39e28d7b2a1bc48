import { t } from 'i18next';
import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { type Me, useMe } from '../../session/use-session.js';
import { ThemePicker } from './theme-picker.js';
import { Grants } from './grants.js';
import { ManagedSignIn } from './managed-sign-in.js';
import { OwnData } from './own-data.js';
import { PasswordChange } from './password-change.js';
import { Preferences } from './preferences.js';
import { Profile } from './profile.js';
import { Sessions } from './sessions.js';

function SignIn({ me }: { me: Me }) {
  if (me.sign_in_methods.includes('password')) return <PasswordChange me={me} />;
  return me.sign_in_methods.includes('oidc') ? <ManagedSignIn /> : null;
}

export function Component() {
  const me = useMe();
  return (
    <Page title={t('Account')}>
      <QueryView query={me}>
        {(person) => (
          <>
            <Profile me={person} />
            <Preferences me={person} />
            <Grants me={person} />
            <SignIn me={person} />
            <OwnData me={person} />
          </>
        )}
      </QueryView>
      <Sessions />
      <ThemePicker />
    </Page>
  );
}
