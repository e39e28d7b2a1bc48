import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import { linkPageScript } from './link-page-script.js';

const eta = new Eta({ autoEscape: true, autoTrim: false });

const style = `
body { margin: 0; padding: 24px; background: #f4f5f7; color: #1b1f24; font: 16px/1.5 'Segoe UI', Helvetica, Arial, sans-serif }
main { max-width: 420px; margin: 8vh auto 0; padding: 32px; background: #fff; border-radius: 8px }
h1 { margin: 0 0 8px; font-size: 22px }
label { display: block; margin-top: 16px }
input { box-sizing: border-box; width: 100%; margin-top: 4px; padding: 10px; border: 1px solid #8c959f; border-radius: 6px; font: inherit }
small { color: #59636e }
button { margin-top: 24px; padding: 12px 20px; border: 0; border-radius: 6px; background: #0b5cad; color: #fff; font: inherit; cursor: pointer }
button:disabled { opacity: .6 }
.problem { color: #a40e26 }
.done { color: #116329 }
`;

const template = eta.compile(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title><%= it.title %></title>
    <style><%~ it.style %></style>
  </head>
  <body>
    <main>
      <h1><%= it.title %></h1>
      <noscript>This page needs JavaScript.</noscript>
      <form data-grant="<%= it.grant %>" data-token-field="<%= it.tokenField %>" data-done="<%= it.done %>">
        <p><%= it.lead %></p>
        <label>Password
          <input name="password" type="password" autocomplete="new-password" required aria-describedby="rule">
        </label>
        <small id="rule">At least 15 characters: several words that do not belong together do well.</small>
        <label>The same again
          <input name="again" type="password" autocomplete="new-password" required>
        </label>
        <button><%= it.button %></button>
      </form>
      <p role="status"></p>
    </main>
    <script><%~ it.script %></script>
  </body>
</html>
`);

interface Page {
  title: string;
  lead: string;
  button: string;
  /** What it says when it worked. */
  done: string;
  grant: string;
  /** The member of the token request that takes the secret of the link. */
  tokenField: string;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but the script and style above, and requests to where the page came from. */
export const linkPagePolicy = [
  "default-src 'none'",
  `script-src ${hashOf(linkPageScript)}`,
  `style-src ${hashOf(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const render = (page: Page): string => eta.render(template, { ...page, style, script: linkPageScript });

export const invitationPage = render({
  title: 'Accept your invitation',
  lead: 'Choose a password for your new account.',
  button: 'Accept',
  done: 'Your account is ready. You can sign in now.',
  grant: 'invitation',
  tokenField: 'invitation_token',
});

export const passwordResetPage = render({
  title: 'Choose a new password',
  lead: 'Wherever you are signed in now, you will have to sign in again.',
  button: 'Change password',
  done: 'Your password was changed. You can sign in with it now.',
  grant: 'password_reset',
  tokenField: 'reset_token',
});
