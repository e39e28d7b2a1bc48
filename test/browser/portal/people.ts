import { linkFor } from './mail.js';
import type { Portal } from './portal.js';

export const chosen = 'violet lamp drinks tea';

export interface Invited {
  email: string;
  id: string;
  link: string;
}

/** Invites into the workspace Sales, as the admin. */
export async function invite(portal: Portal, email: string, more: object = {}): Promise<Invited> {
  const { started } = portal;
  const token = await started.signIn();
  const { workspaces } = await started.get<{ workspaces: { id: string }[] }>(
    '/api/workspaces?q=Sales',
    token,
  );
  const grants = [{ workspace_id: workspaces[0]?.id, role: 'viewer' }];
  const response = await started.post('/api/users/invite', { email, workspaces: grants, ...more }, token);
  const { id } = (await response.json()) as { id: string };
  return { email, id, link: await linkFor(portal, email) };
}

/** Creates a user with a password and one workspace. */
export async function member(portal: Portal, email: string): Promise<{ email: string; password: string }> {
  const { link } = await invite(portal, email, { name: 'Mina Member' });
  const invitation_token = new URL(link).hash.replace('#token=', '');
  await portal.started.post('/api/auth/token', {
    grant_type: 'invitation',
    invitation_token,
    password: chosen,
  });
  return { email, password: chosen };
}

/** As the admin, over the API. */
export async function asAdmin(
  portal: Portal,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${await portal.started.signIn()}`,
    'Content-Type': 'application/json',
  };
  return fetch(`${portal.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

export async function disable(portal: Portal, email: string): Promise<void> {
  const response = await asAdmin(portal, 'GET', `/api/users?q=${encodeURIComponent(email)}`);
  const { users } = (await response.json()) as { users: { id: string }[] };
  await asAdmin(portal, 'PATCH', `/api/users/${users[0]?.id}`, { status: 'disabled' });
}

/** Returns the id of a new webhook. `WEBHOOK_ALLOWED_HOSTS` allows loopback. */
export async function addWebhook(portal: Portal, url: string, types: string[] = []): Promise<string> {
  const created = await asAdmin(portal, 'POST', '/api/webhooks', { url, types });
  return ((await created.json()) as { id: string }).id;
}
