import type { Entry } from '../load/history.js';
import type { Evidence, Invariant } from './evidence.js';

const SLACK_MS = 1_000;

const unguarded = new Set(['login', 'guess', 'refresh', 'accept', 'hostile', 'reuse', 'probe_refresh']);
type SessionRow = Evidence['tables']['sessions'][number];
const isOk = ({ result }: Entry): boolean => result === 'ok';

const endings = new Set(['sign_out', 'change_password', 'reuse', 'disable']);

/**
 * When a session had certainly ended; null if it is active. Its row has the time at which the request came, which may have
 * waited for the database before it could commit: until the response it is unknown.
 */
function endOf({ id, user_id, ended_at: at }: SessionRow, history: readonly Entry[]): number | null {
  if (at === null) return null;
  const causes = history.filter(
    ({ op, key, sid, t_invoke, t_done }) =>
      endings.has(op) &&
      [key, sid].some((of) => of === id || of === user_id) &&
      t_invoke <= at &&
      at <= t_done,
  );
  return Math.max(at, ...causes.map(({ t_done }) => t_done));
}

/** 3. Each success had a session and an active user during the request or a second before it. */
export const noUnauthorizedAccess: Invariant = ({ history, tables, clockSkewMs }) => {
  const slack = SLACK_MS + clockSkewMs;
  const sessions = new Map(tables.sessions.map((row) => [row.id, row]));
  const disablings = tables.audit.filter(
    ({ action, details }) => action === 'user_disabled' || details['status'] === 'disabled',
  );
  return history.filter(isOk).flatMap((entry) => {
    if (entry.op === 'hostile') return [`an attack got ${entry.status}`];
    if (unguarded.has(entry.op)) return [];
    const session = sessions.get(entry.sid ?? '');
    if (session === undefined) return [`${entry.op} of ${entry.actor} succeeded without a session`];
    const since = endOf(session, history);
    if (since !== null && since < entry.t_invoke - slack) {
      return [`${entry.op} of ${entry.actor} succeeded ${entry.t_invoke - since} ms after its session ended`];
    }
    const isDisabled = disablings.some(
      ({ target_id, at }) => target_id === session.user_id && at < entry.t_invoke - slack,
    );
    // A user who is enabled again has none of the earlier sessions.
    if (isDisabled && since === null && sessionIsOlder(tables.audit, session.id, disablings)) {
      return [`${entry.op} of ${entry.actor} succeeded with a session from before the user was disabled`];
    }
    return [];
  });
};

function sessionIsOlder(
  audit: Evidence['tables']['audit'],
  sid: string,
  away: Evidence['tables']['audit'],
): boolean {
  const begin = audit.find(({ action, target_id }) => action === 'signed_in' && target_id === sid);
  return (
    begin !== undefined && away.some(({ at, target_id }) => target_id === begin.actor_id && at > begin.at)
  );
}

/** When the end of each session was acknowledged. */
function revocations(history: readonly Entry[]): Map<string, { at: number; replica?: string; why: string }> {
  const ends = new Map<string, { at: number; replica?: string; why: string }>();
  for (const entry of history) {
    const acknowledged = entry.op === 'reuse' ? entry.status === 401 : isOk(entry);
    if (!acknowledged) continue;
    const sid = entry.op === 'sign_out' || entry.op === 'change_password' ? entry.key : entry.sid;
    if (!['sign_out', 'change_password', 'reuse'].includes(entry.op) || sid === undefined) continue;
    ends.set(sid, {
      at: entry.t_done,
      why: entry.op,
      ...(entry.replica !== undefined && { replica: entry.replica }),
    });
  }
  return ends;
}

/** 4. A revocation is effective immediately on its replica, and on the others after a second. */
export const revocationIsFinal: Invariant = ({ history, people }) => {
  const ends = revocations(history);
  const disabled = history.filter((entry) => entry.op === 'disable' && isOk(entry));
  return history.filter(isOk).flatMap((entry) => {
    const end = entry.sid === undefined ? undefined : ends.get(entry.sid);
    const late = end === undefined ? 0 : entry.t_invoke - end.at;
    if (end !== undefined && late > (entry.replica === end.replica ? 0 : SLACK_MS)) {
      return [`${entry.op} of ${entry.actor} worked ${late} ms after ${end.why}`];
    }
    const id = people.find(({ email }) => email === entry.actor)?.id;
    const out = disabled.find(({ key, t_done }) => key === id && entry.t_invoke > t_done + SLACK_MS);
    return out !== undefined && entry.op.startsWith('probe')
      ? [`${entry.op} of ${entry.actor} worked after disable`]
      : [];
  });
};

/** 5. A refresh token has one successor, and a reuse ends the token family. */
export const rotation: Invariant = ({ history, tables }) => {
  const refreshes = history.filter((entry) => entry.op === 'refresh' && isOk(entry));
  const forks = [...Map.groupBy(refreshes, ({ key }) => key)]
    .filter(([, list]) => new Set(list.map(({ value }) => value)).size > 1)
    .map(([key]) => `two successors of one refresh token of session ${key.split(':')[0]}`);
  const alive = new Set(tables.sessions.filter(({ ended_at }) => ended_at === null).map(({ id }) => id));
  const reused = history.filter(({ op, status }) => op === 'reuse' && status === 401);
  return [
    ...forks,
    ...history
      .filter((entry) => entry.op === 'reuse' && isOk(entry))
      .map(({ sid }) => `an old refresh token of session ${sid} worked`),
    ...reused
      .filter(({ sid }) => alive.has(sid ?? ''))
      .map(({ sid }) => `session ${sid} continues after a reuse`),
    ...history
      .filter((entry) => entry.op === 'probe_refresh' && isOk(entry))
      .map(({ sid }) => `a refresh token of the ended session ${sid} worked`),
  ];
};

/** Whether the user may have had a grant in the workspace during the request, or a second before it. */
function mayHaveSeen(evidence: Evidence, { id, workspaces }: { id: string; workspaces: string[] }) {
  const changes = Map.groupBy(
    evidence.history.filter(({ op }) => op === 'set_member' || op === 'remove_member'),
    ({ key }) => key,
  );
  return (place: string, from: number, to: number): boolean => {
    if (workspaces.includes(place)) return true;
    const relevant = (changes.get(`${place}/${id}`) ?? []).filter(({ result }) => result !== 'fail');
    const given = relevant.filter(({ op, t_invoke }) => op === 'set_member' && t_invoke <= to);
    const taken = relevant.filter(
      (entry) => entry.op === 'remove_member' && isOk(entry) && entry.t_done < from - SLACK_MS,
    );
    return given.some((grant) => !taken.some((end) => end.t_invoke > grant.t_done));
  };
}

interface TokenBody {
  reports?: { id: string }[];
  identities?: { username: string }[];
}

/** 6. Users see only their workspaces, and each call to Power BI belongs to a request of the same user. */
export const tenantIsolation: Invariant = (evidence) => {
  const { history, people, calls, workspaceByPbiReport, workspaceByResource, upstreamClockOffsetMs } =
    evidence;
  const members = new Map(people.filter(({ isAdmin }) => !isAdmin).map((each) => [each.email, each]));
  const seen = history.flatMap((entry) => {
    const person = members.get(entry.actor);
    if (person === undefined) return [];
    const may = mayHaveSeen(evidence, person);
    return (entry.workspacesSeen ?? [])
      .filter((place) => !may(place, entry.t_invoke, entry.t_done))
      .map((place) => `${entry.op} showed ${entry.actor} the workspace ${place}`);
  });
  const asked = calls.flatMap(({ path, at, body }) => {
    if (!path.endsWith('/GenerateToken')) return [];
    const { reports = [], identities = [] } = body as TokenBody;
    const stamp = Date.parse(at);
    const times = [stamp, stamp - upstreamClockOffsetMs];
    const requesters = new Set(
      history
        .filter(({ op, key, t_invoke, t_done }) => {
          const wanted = reports.some(
            ({ id }) => workspaceByPbiReport.get(id) === workspaceByResource.get(key),
          );
          const isThen = times.some((time) => t_invoke - SLACK_MS <= time && time <= t_done + 16_000);
          return op === 'embed' && wanted && isThen;
        })
        .map(({ actor }) => actor),
    );
    const strangers = identities.map(({ username }) => username).filter((name) => !requesters.has(name));
    const ids = reports.map(({ id }) => id).join(', ');
    return [
      ...(requesters.size === 0
        ? [`a token of report ${ids} was requested from Power BI without a request of a user`]
        : []),
      ...strangers.map(
        (name) => `a token of report ${ids} was requested from Power BI with the identity ${name}`,
      ),
    ];
  });
  return [...seen, ...asked];
};

const PER_ADDRESS = 5;
const FREE = 20;
const LOCK_CYCLE_MAX = 100;

/** 7. The number of evaluated guesses on an account is limited, from any address. */
export const guessBound: Invariant = ({ history, tables, people, began, ended }) => {
  const evaluated = history.filter(({ op, status }) => op === 'guess' && (status === 401 || status === 200));
  // From the twentieth on each wait is a minute longer, so at most one guess a minute is evaluated.
  const minutes = Math.ceil((ended - began) / 60_000);
  const most = Math.min(FREE + minutes, LOCK_CYCLE_MAX);
  const failures = Map.groupBy(
    tables.audit.filter(({ action }) => action === 'sign_in_failed'),
    ({ target_id }) => target_id ?? '',
  );
  return [
    ...[...Map.groupBy(evaluated, ({ key }) => key)]
      .filter(([, list]) => list.length > most)
      .map(([key, list]) => `${list.length} guesses on ${key} were evaluated, the limit is ${most}`),
    ...[...Map.groupBy(evaluated, ({ key, value }) => `${key} from ${value}`)]
      .filter(([, list]) => list.length > PER_ADDRESS)
      .map(([key, list]) => `${list.length} guesses on ${key} were evaluated, the limit is ${PER_ADDRESS}`),
    ...people
      .filter(({ id }) => (failures.get(id)?.length ?? 0) > most)
      .map(
        ({ id, email }) =>
          `${failures.get(id)?.length} failed sign-ins of ${email} in the audit trail, the limit is ${most}`,
      ),
  ];
};

/** 16. After a write is acknowledged, every replica returns that value or a later one. */
export const monotonic: Invariant = ({ history }) => {
  const versionOf = (value: string | null): number =>
    Number(/^Version (\d+)$/.exec(value ?? '')?.[1] ?? Number.NaN);
  const writes = Map.groupBy(
    history.filter(({ op }) => op === 'rename'),
    ({ key }) => key,
  );
  return history.flatMap((read) => {
    if (read.op !== 'read_name' || !isOk(read)) return [];
    const version = versionOf(read.value);
    if (Number.isNaN(version)) return [];
    const before = (writes.get(read.key) ?? []).filter(
      (write) => isOk(write) && write.t_done < read.t_invoke,
    );
    const known = Math.max(0, ...before.map(({ value }) => versionOf(value)));
    const lateOne = (writes.get(read.key) ?? []).some(
      ({ result, value }) => result === 'unknown' && versionOf(value) === version,
    );
    return version < known && !lateOne
      ? [`version ${version} of ${read.key} was read after ${known} was acknowledged`]
      : [];
  });
};
