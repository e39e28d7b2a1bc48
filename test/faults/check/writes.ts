import type { Entry } from '../load/history.js';
import type { Invariant, Tables } from './evidence.js';

/** A write without a response may still take effect within this time, after later ones. */
const LATE_MS = 20_000;

/** Permitted final values: the last acknowledged one, or one whose result is unknown. */
export function possibleFinalValues(writes: readonly Entry[]): (string | null)[] | undefined {
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

function wrongFinalValues(
  writes: Map<string, Entry[]>,
  final: (key: string) => string | null,
  what: string,
): string[] {
  return [...writes].flatMap(([key, entries]) => {
    const possible = possibleFinalValues(entries);
    const found = final(key);
    if (possible === undefined || possible.includes(found)) return [];
    return [`${what} ${key} is ${found}; the acknowledged value is ${possible.join(' or ')}`];
  });
}

const roleIn =
  ({ memberships }: Tables) =>
  (key: string): string | null =>
    memberships.find(({ user_id, workspace_id }) => `${workspace_id}/${user_id}` === key)?.role ?? null;

/** 1. Each acknowledged write is stored, or was overwritten. */
export const nothingLost: Invariant = ({ history, tables }) => {
  const ok = history.filter(({ result }) => result === 'ok');
  const invitations = new Set(tables.invitations.map(({ email }) => email));
  const accepted = new Set(tables.users.map(({ email }) => email));
  const nameOf = (key: string) => tables.users.find(({ id }) => id === key)?.name ?? null;
  return [
    ...ok
      .filter(({ op, key }) => op === 'invite' && !invitations.has(key))
      .map(({ key }) => `the invitation of ${key} was acknowledged and is lost`),
    ...ok
      .filter(({ op, key }) => op === 'accept' && !accepted.has(key))
      .map(({ key }) => `the account of ${key} was acknowledged and is lost`),
    ...wrongFinalValues(byKey(history, ['rename']), nameOf, 'the name of'),
    ...wrongFinalValues(byKey(history, ['set_member', 'remove_member']), roleIn(tables), 'the role'),
    ...ok
      .filter(({ op, sid }) => op === 'login' && !tables.sessions.some(({ id }) => id === sid))
      .map(({ actor }) => `a session of ${actor} was acknowledged and is lost`),
  ];
};

const moreThan = <T>(list: readonly T[], most: number, keyOf: (each: T) => string, what: string): string[] =>
  [...Map.groupBy(list, keyOf)]
    .filter(([, found]) => found.length > most)
    .map(([key, found]) => `${found.length} ${what} ${key}`);

/** 2. There are no duplicate accounts, invitations, acceptances, events or emails. */
export const nothingDuplicated: Invariant = ({ history, tables, mails }) => {
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

/** 9. An invitation has its event, its job and its grants; an accepted one also its account and memberships. */
export const atomicity: Invariant = ({ tables, mails }) => {
  const events = (action: string) =>
    new Set(tables.audit.filter((row) => row.action === action).map(({ target_id }) => target_id));
  const created = events('invitation_created');
  const accepted = events('invitation_accepted');
  const ids = new Set(tables.invitations.map(({ id }) => id));
  const users = new Map(tables.users.map(({ email, id }) => [email, id]));
  const incomplete = tables.invitations.flatMap(({ id, email, jobs, workspaces, accepted_at, user_id }) => {
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
    ...incomplete,
    ...[...created]
      .filter((id) => !ids.has(id ?? ''))
      .map((id) => `there is an event of invitation ${id}, which does not exist`),
    ...[...pending]
      .filter((email) => users.has(email))
      .map((email) => `${email} has an account and an open invitation`),
    ...mails
      .filter(({ to }) => to.startsWith('guest-') && !tables.invitations.some(({ email }) => email === to))
      .map(({ to }) => `an email was sent to ${to}, who has no invitation`),
  ];
};

/** 10. Each security-relevant effect has an audit event. */
export const auditCompleteness: Invariant = ({ history, tables }) => {
  const targetsOf = (action: string, type: string) =>
    new Set(
      tables.audit
        .filter((row) => row.action === action && row.target_type === type)
        .map(({ target_id }) => target_id),
    );
  const opened = targetsOf('signed_in', 'session');
  const counts = (action: string) => tables.audit.filter((row) => row.action === action).length;
  const wrong = history.filter(
    ({ op, status }) => (op === 'login' || op === 'guess') && status === 401,
  ).length;
  const reused = targetsOf('refresh_token_reused', 'session');
  const over = tables.sessions.filter(({ end_reason }) => end_reason === 'refresh_token_reused');
  const out = targetsOf('signed_out', 'session');
  const left = tables.sessions.filter(({ end_reason }) => end_reason === 'signed_out');
  return [
    ...tables.sessions
      .filter(({ id }) => !opened.has(id))
      .map(({ id }) => `no event of the sign-in of session ${id}`),
    ...over.filter(({ id }) => !reused.has(id)).map(({ id }) => `no event of the reuse in session ${id}`),
    ...left.filter(({ id }) => !out.has(id)).map(({ id }) => `no event of the end of session ${id}`),
    ...(counts('sign_in_failed') >= wrong
      ? []
      : [`${wrong} sign-ins failed, ${counts('sign_in_failed')} events recorded`]),
    ...(counts('user_disabled') + counts('user_changed') >=
    history.filter(({ op, result }) => op === 'disable' && result === 'ok').length
      ? []
      : ['fewer events than disabled users']),
  ];
};
