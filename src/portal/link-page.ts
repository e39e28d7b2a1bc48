import { plainPage } from '../core/http/plain-page.js';
import { linkPageScript } from './link-page-script.js';
import type { Page } from './page.js';

interface Content {
  title: string;
  lead: string;
  button: string;
  /** Message after success. */
  done: string;
  grant: string;
  /** Field of the token request for the secret in the link. */
  tokenField: string;
  /** Route that returns the email address of the account. */
  preview: string;
}

const { render, policy } = plainPage<Content>(
  `      <noscript>This page needs JavaScript.</noscript>
      <form data-grant="<%= it.grant %>" data-token-field="<%= it.tokenField %>" data-preview="<%= it.preview %>" data-done="<%= it.done %>" hidden>
        <p><%= it.lead %></p>
        <label>Email
          <input name="email" type="email" autocomplete="username" readonly>
        </label>
        <label>Password
          <input name="password" type="password" autocomplete="new-password" required aria-describedby="rule">
        </label>
        <small id="rule">At least 15 characters. Several unrelated words work well.</small>
        <label>Confirm password
          <input name="again" type="password" autocomplete="new-password" required>
        </label>
        <button><%= it.button %></button>
      </form>
      <p role="status"></p>`,
  linkPageScript,
);

const linkPage = (content: Content): Page => ({
  html: render(content),
  headers: { 'Content-Security-Policy': policy },
});

export const invitationPage = linkPage({
  title: 'Accept your invitation',
  lead: 'Choose a password for your new account.',
  button: 'Accept',
  done: 'Your account is ready. You can now sign in.',
  grant: 'invitation',
  tokenField: 'invitation_token',
  preview: 'login/invitation/preview',
});

export const passwordResetPage = linkPage({
  title: 'Choose a new password',
  lead: 'Changing your password signs you out of all sessions.',
  button: 'Change password',
  done: 'Your password was changed. You can now sign in with it.',
  grant: 'password_reset',
  tokenField: 'reset_token',
  preview: 'login/password-reset/preview',
});
