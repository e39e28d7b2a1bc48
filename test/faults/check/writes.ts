import type { Entry } from '../load/history.js';
import type { Invariant, Tables } from './evidence.js';

/** Within it a write of which nobody knows may still take effect, after later ones. */
const LATE_MS = 20_000;

/** Values that a register may have in the end: the last that was acknowledged, or one whose fate is not known. */
export function possibleFinals(writes: readonly Entry[]): (string | null)[] | undefined {
  const last = writes.findLast(({ result }) => result === 'ok');
  const from = last === undefined ? -Infinity : last.t_invoke - LATE_MS;
  const unknown = writes.filter(({ result, t_invoke }) => result === 'unknown' && t_invoke >= from);
  if (last === undefined) return undefined;
  return [last.value, ...unknown.map(({ value }) => value)];
}

const byKey = (history: readonly Entry[], ops: readonly string[]): Map<string, Entry[]> =>
  Map.groupBy(
    history.filter(({ op }) => ops.includes(op)),
    ({ key }) => key,
  );

function wrongFinals(
  writes: Map<string, Entry[]>,
  final: (key: string) => string | null,
  what: string,
): string[] {
  return [...writes].flatMap(([key, entries]) => {
    const possible = possibleFinals(entries);
    const found = final(key);
    if (possible === undefined || possible.includes(found)) return [];
    return [`${what} ${key} is ${found}, was acknowledged as ${possible.join(' or ')}`];
  });
}

const roleIn =
  ({ memberships }: Tables) =>
  (key: string): string | null =>
    memberships.find(({ user_id, workspace_id }) => `${workspace_id}/${user_id}` === key)?.role ?? null;

/** 1. Nothing lost: what was acknowledged is there, or was overwritten. */
export const nothingLost: Invariant = ({ history, tables }) => {
  const ok = history.filter(({ result }) => result === 'ok');
  const invitations = new Set(tables.invitations.map(({ email }) => email));
  const accepted = new Set(tables.users.map(({ email }) => email));
  const nameOf = (key: string) => tables.users.find(({ id }) => id === key)?.name ?? null;
  return [
    ...ok
      .filter(({ op, key }) => op === 'invite' && !invitations.has(key))
      .map(({ key }) => `the invitation of ${key} was acknowledged and is gone`),
    ...ok
      .filter(({ op, key }) => op === 'accept' && !accepted.has(key))
      .map(({ key }) => `the account of ${key} was acknowledged and is gone`),
    ...wrongFinals(byKey(history, ['rename']), nameOf, 'the name of'),
    ...wrongFinals(byKey(history, ['set_member', 'remove_member']), roleIn(tables), 'the role'),
    ...ok
      .filter(({ op, sid }) => op === 'login' && !tables.sessions.some(({ id }) => id === sid))
      .map(({ proc }) => `a session of ${proc} was acknowledged and is gone`),
  ];
};

const moreThan = <T>(list: readonly T[], most: number, keyOf: (each: T) => string, what: string): string[] =>
  [...Map.groupBy(list, keyOf)]
    .filter(([, found]) => found.length > most)
    .map(([key, found]) => `${found.length} ${what} ${key}`);

/** 2. Nothing doubled: of each key, address, invitation and mail there is what there may be. */
export const nothingDoubled: Invariant = ({ history, tables, mails }) => {
  const open = tables.invitations.filter(
    ({ accepted_at, revoked_at }) => accepted_at === null && revoked_at === null,
  );
  const accepts = tables.audit.filter(({ action }) => action === 'invitation_accepted');
  const created = tables.audit.filter(({ action }) => action === 'invitation_created');
  const invites = history.filter(({ op, result }) => op === 'invite' && result === 'ok');
  const asked = new Set(invites.map(({ key }) => key));
  const sent = mails.filter(({ to }) => asked.has(to));
  return [
    ...moreThan(tables.users, 1, ({ email }) => email.toLowerCase(), 'accounts of'),
    ...moreThan(open, 1, ({ email }) => email, 'open invitations of'),
    ...moreThan(tables.invitations, 1, ({ email }) => email, 'invitations for one idempotency key of'),
    ...moreThan(created, 1, ({ target_id }) => target_id ?? '', 'times created: invitation'),
    ...moreThan(accepts, 1, ({ target_id }) => target_id ?? '', 'times accepted: invitation'),
    ...moreThan(
      history.filter(({ op, result }) => op === 'accept' && result === 'ok'),
      1,
      ({ key }) => key,
      'acceptances of the invitation of',
    ),
    ...moreThan(sent, 2, ({ to }) => to, 'mails to'),
    ...[...Map.groupBy(sent, ({ to }) => to)]
      .filter(([, list]) => new Set(list.map(({ messageId }) => messageId)).size > 1)
      .map(([to]) => `mails to ${to} have different Message-IDs`),
    ...[...Map.groupBy(invites, ({ key }) => key)]
      .filter(([, list]) => new Set(list.map(({ value }) => value)).size > 1)
      .map(([key]) => `one idempotency key gave several invitations of ${key}`),
  ];
};

/** 9. Atomicity: an invitation, its event, its job and its grants, and what accepting makes, are there together or not at all. */
export const atomicity: Invariant = ({ tables, mails }) => {
  const events = (action: string) =>
    new Set(tables.audit.filter((row) => row.action === action).map(({ target_id }) => target_id));
  const created = events('invitation_created');
  const accepted = events('invitation_accepted');
  const ids = new Set(tables.invitations.map(({ id }) => id));
  const users = new Map(tables.users.map(({ email, id }) => [email, id]));
  const wanting = tables.invitations.flatMap(({ id, email, jobs, workspaces, accepted_at, user_id }) => {
    const has = (workspace: string) =>
      tables.memberships.some((each) => each.user_id === user_id && each.workspace_id === workspace);
    const missing = [
      ...(created.has(id) ? [] : ['audit event']),
      ...(jobs > 0 || mails.some(({ to }) => to === email) ? [] : ['mail job']),
      ...(workspaces.length > 0 ? [] : ['grants']),
      ...(accepted_at === null || users.get(email) === user_id ? [] : ['account']),
      ...(accepted_at === null || accepted.has(id) ? [] : ['audit event of its acceptance']),
      ...(accepted_at === null || workspaces.every(has) ? [] : ['membership']),
    ];
    return missing.map((what) => `the invitation of ${email} has no ${what}`);
  });
  const pending = new Set(
    tables.invitations.filter((row) => row.accepted_at === null).map(({ email }) => email),
  );
  return [
    ...wanting,
    ...[...created]
      .filter((id) => !ids.has(id ?? ''))
      .map((id) => `an event tells of invitation ${id}, which is not there`),
    ...[...pending]
      .filter((email) => users.has(email))
      .map((email) => `${email} has an account and an open invitation`),
    ...mails
      .filter(({ to }) => to.startsWith('guest-') && !tables.invitations.some(({ email }) => email === to))
      .map(({ to }) => `a mail went to ${to}, whom nobody invited`),
  ];
};

/** 10. Audit completeness: as many events as there were security effects. */
export const auditCompleteness: Invariant = ({ history, tables }) => {
  const told = (action: string, type: string) =>
    new Set(
      tables.audit
        .filter((row) => row.action === action && row.target_type === type)
        .map(({ target_id }) => target_id),
    );
  const opened = told('signed_in', 'session');
  const counts = (action: string) => tables.audit.filter((row) => row.action === action).length;
  const wrong = history.filter(
    ({ op, status }) => (op === 'login' || op === 'guess') && status === 401,
  ).length;
  const reused = told('refresh_token_reused', 'session');
  const over = tables.sessions.filter(({ end_reason }) => end_reason === 'refresh_token_reused');
  const out = told('signed_out', 'session');
  const left = tables.sessions.filter(({ end_reason }) => end_reason === 'signed_out');
  return [
    ...tables.sessions
      .filter(({ id }) => !opened.has(id))
      .map(({ id }) => `no event of the beginning of session ${id}`),
    ...over.filter(({ id }) => !reused.has(id)).map(({ id }) => `no event of the reuse in session ${id}`),
    ...left.filter(({ id }) => !out.has(id)).map(({ id }) => `no event of the end of session ${id}`),
    ...(counts('sign_in_failed') >= wrong
      ? []
      : [`${wrong} sign-ins failed, ${counts('sign_in_failed')} events tell of it`]),
    ...(counts('user_disabled') + counts('user_changed') >=
    history.filter(({ op, result }) => op === 'disable' && result === 'ok').length
      ? []
      : ['fewer events of disabled people than there were']),
  ];
};
