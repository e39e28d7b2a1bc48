import { until } from '../../support/until.js';
import type { Portal } from './portal.js';

type Role = 'viewer' | 'editor' | 'manager';

interface Named {
  id: string;
  name: string;
}

const password = 'harbour lantern quilt sparrow';

/** The id of a workspace or a report by its name. */
export async function idOf(
  { started }: Portal,
  kind: 'workspaces' | 'reports',
  name: string,
): Promise<string> {
  const list = await started.get<Record<string, Named[]>>(`/api/${kind}`, await started.signIn());
  const found = list[kind]?.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no ${name} among the ${kind}.`);
  return found.id;
}

/** A user who accepted an invitation to these workspaces. */
export async function viewer(portal: Portal, email: string, roles: Record<string, Role> = {}) {
  const { started } = portal;
  const grants = Object.entries(roles).map(async ([name, role]) => ({
    workspace_id: await idOf(portal, 'workspaces', name),
    role,
  }));
  const invitation = { email, workspaces: await Promise.all(grants) };
  const invited = await started.post('/api/users/invite', invitation, await started.signIn());
  if (!invited.ok) throw new Error(`${email} was not invited: ${await invited.text()}`);
  const link = new RegExp(`Mail to ${email}: .*\\n.*#token=([\\w-]+)`);
  const secret = await until(() => link.exec(started.output)?.[1]);
  const accepted = await started.post('/api/auth/token', {
    grant_type: 'invitation',
    invitation_token: secret,
    password,
  });
  if (!accepted.ok) throw new Error(`${email} did not get in: ${await accepted.text()}`);
  return { email, password };
}

/** Creates a group with these people, by email address, and these groups, by name. Returns its id. */
export async function createGroup(
  portal: Portal,
  name: string,
  emails: string[] = [],
  groupNames: string[] = [],
): Promise<string> {
  const token = await portal.started.signIn();
  const find = async (path: string, kind: 'users' | 'groups'): Promise<string> => {
    const { [kind]: found } = await portal.started.get<Record<string, { id: string }[]>>(path, token);
    return found?.[0]?.id ?? '';
  };
  const created = await portal.started.post('/api/groups', { name }, token);
  const { id } = (await created.json()) as { id: string };
  const users = await Promise.all(
    emails.map((email) => find(`/api/users?q=${encodeURIComponent(email)}`, 'users')),
  );
  const groups = await Promise.all(
    groupNames.map((group) => find(`/api/groups?q=${encodeURIComponent(group)}`, 'groups')),
  );
  const added = await portal.started.post(`/api/groups/${id}/members`, { users, groups }, token);
  if (added.status !== 204) throw new Error(`The group has no members: ${await added.text()}`);
  return id;
}
