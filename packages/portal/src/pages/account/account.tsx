import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { useMe } from '../../session/use-session.js';
import { settings } from '../../settings.js';
import { ColourScheme } from './colour-scheme.js';
import { Grants } from './grants.js';
import { PasswordChange } from './password-change.js';
import { Profile } from './profile.js';
import { Sessions } from './sessions.js';

export function Component() {
  const me = useMe();
  return (
    <Page title="Account">
      <QueryView query={me}>
        {(person) => (
          <>
            <Profile me={person} />
            <Grants me={person} />
            {settings.passwordSignIn && <PasswordChange me={person} />}
          </>
        )}
      </QueryView>
      <Sessions />
      <ColourScheme />
    </Page>
  );
}
