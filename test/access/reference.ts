/** Rights decided by walking the graph, as simply as possible: what every statement of the service must agree with. */
export interface Model {
  /** Direct members: `[group, user]` and `[outer group, inner group]`. */
  people: readonly (readonly [number, number])[];
  nested: readonly (readonly [number, number])[];
  grants: readonly ModelGrant[];
}

export interface ModelGrant {
  holder: { type: 'user' | 'group'; index: number };
  /** Index of a report, or of a workspace. */
  target: { type: 'workspace' | 'report'; index: number };
  role: 'viewer' | 'editor' | 'manager';
  isExpired: boolean;
}

export const REPORTS_EACH = 2;
export const workspaceOf = (report: number): number => Math.floor(report / REPORTS_EACH);

const strength = ['viewer', 'editor', 'manager'] as const;

/** The groups of a user, directly or through groups in them. */
function groupsOf({ people, nested }: Model, user: number): Set<number> {
  const found = new Set(people.filter(([, member]) => member === user).map(([group]) => group));
  for (const group of found) for (const [outer, inner] of nested) if (inner === group) found.add(outer);
  return found;
}

function held(model: Model, user: number): ModelGrant[] {
  const groups = groupsOf(model, user);
  return model.grants.filter(
    ({ holder, isExpired }) =>
      !isExpired && (holder.type === 'user' ? holder.index === user : groups.has(holder.index)),
  );
}

/** The strongest role of the user on the report; undefined if the user cannot see it. */
export function roleOn(model: Model, user: number, report: number): ModelGrant['role'] | undefined {
  const roles = held(model, user)
    .filter(({ target }) => target.index === (target.type === 'report' ? report : workspaceOf(report)))
    .map(({ role }) => role);
  return strength.findLast((role) => roles.includes(role));
}

/** The number of reports that the user sees in the workspace; undefined if the user does not see the workspace. */
export function reportCount(model: Model, user: number, workspace: number): number | undefined {
  const isHeld = held(model, user).some(
    ({ target }) => target.type === 'workspace' && target.index === workspace,
  );
  const reports = Array.from({ length: REPORTS_EACH }, (_, index) => workspace * REPORTS_EACH + index);
  const seen = reports.filter((report) => roleOn(model, user, report) !== undefined).length;
  return isHeld || seen > 0 ? seen : undefined;
}
