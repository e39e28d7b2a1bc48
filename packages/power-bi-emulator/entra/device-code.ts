import type { RequestHandler } from 'express';
import { bodyOf } from '../core/body.js';
import { callOf } from '../core/locals.js';
import { findPerson, peopleOf } from '../content/people.js';
import type { Emulator } from '../emulator.js';
import { scopesFrom, scopesOfResource } from './audiences.js';
import { formOf, textsOf } from './client-authentication.js';
import { clientOf } from './clients.js';
import { buttonsFor, escaped, page } from './html.js';
import { originOf } from './origin.js';
import { responding } from './responding.js';
import { deviceCodeSeconds } from './sign-ins.js';

/** Path of the page where a user enters a code. */
export const deviceLoginPaths = ['/common/oauth2/deviceauth', '/devicelogin'];

/** `POST /{tenant}/oauth2/v2.0/devicecode`, `/oauth2/devicecode` (v1). */
export function deviceCodeEndpoint(emulator: Emulator, version: '1.0' | '2.0'): RequestHandler {
  return responding(emulator, (request, response) => {
    // A v1 client may send its parameters in the query.
    const form = { ...textsOf(request.query), ...formOf(request) };
    const client = clientOf(emulator, form.client_id);
    callOf(response).principal = client.clientId;
    const scopes = version === '1.0' ? scopesOfResource(form.resource) : scopesFrom(form.scope);
    const [device_code, { userCode }] = emulator.signIns.addDeviceCode({
      ...scopes,
      clientId: client.clientId,
    });
    const uri = `${originOf(emulator, request)}/devicelogin`;
    const number = version === '1.0' ? String : Number;
    return {
      user_code: userCode,
      device_code,
      [version === '1.0' ? 'verification_url' : 'verification_uri']: uri,
      expires_in: number(deviceCodeSeconds),
      interval: number(5),
      message: `To sign in, use a web browser to open the page ${uri} and enter the code ${userCode} to authenticate.`,
    };
  });
}

/** The page: it takes the code and the person, and shows the result. */
export function deviceLogin(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const form = textFieldsOf(request.method === 'POST' ? bodyOf(request) : request.query);
    const code = form.user_code ?? form.otc ?? '';
    const done =
      request.method === 'POST' ? decide(emulator, { ...form, user_code: code }) : ('asked' as const);
    if (done === 'decided') {
      const text = form.decline ? 'The sign-in was declined.' : 'You have signed in on your device.';
      response.type('html').send(page('You can close this window', `<p>${text}</p>`));
      return;
    }
    const problem =
      done === 'asked' ? '' : '<p role="alert">That code did not work. Check it and try again.</p>';
    const body = `${problem}<form method="post">
<label>Code <input name="user_code" value="${escaped(code)}" autocomplete="off" required></label>
${buttonsFor(peopleOf(emulator.content))}
<button name="decline" value="1">Cancel</button>
</form>`;
    response
      .status(done === 'asked' ? 200 : 400)
      .type('html')
      .send(page('Enter code to allow access', body));
  };
}

/** What the page understands; other fields count as missing. */
const textFieldsOf = (value: unknown): Partial<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(value ?? {}).filter((field): field is [string, string] => typeof field[1] === 'string'),
  );

/** Approves or declines a device code. */
export function decide(
  emulator: Emulator,
  { user_code, username, decline }: { user_code?: string; username?: string; decline?: unknown },
): 'decided' | 'unknown_code' | 'unknown_user' {
  const waiting = emulator.signIns.findByUserCode(user_code);
  if (!waiting) return 'unknown_code';
  const decision = decline ? 'declined' : findPerson(emulator.content, username);
  if (!decision) return 'unknown_user';
  waiting.decision = decision;
  return 'decided';
}
