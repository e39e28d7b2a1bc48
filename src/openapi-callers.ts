/** Who may call an operation. `test/openapi.e2e-spec.ts` compares it with what each kind of caller gets. */
export type CallerLevel = 'anyone' | 'member' | 'viewer' | 'editor' | 'manager' | 'admin';

interface Callers {
  level: CallerLevel;
  /** What a part of the operation requires, or who sees what. */
  more?: string;
}

export const callerSentences: Record<CallerLevel, string> = {
  anyone: 'Requires no access token.',
  member: 'Requires a signed-in user or a service account.',
  viewer: 'Requires access to the workspace or report: the role viewer or higher, or an admin.',
  editor: 'Requires the role editor or manager on the workspace or report, or an admin.',
  manager: 'Requires the role manager in the workspace, or an admin.',
  admin: 'Requires an admin.',
};

const own = 'Only the user who ordered the export.';
const shared = 'A shared view requires the role editor.';
const changed = 'Changing a shared view requires the role editor; its owner may always make it private.';
const visible = 'Contains what the caller may see.';
const candidates = 'Managers name groups that they find as candidates.';
const managed = 'Admins see all, managers those of the workspaces that they manage.';

/** Admin routes are marked by `@AdminOnly()`; all others that are not listed are for every signed-in caller. */
const callers: Record<string, Callers> = {
  'POST /api/auth/token': { level: 'anyone' },
  'POST /login/password-reset/preview': { level: 'anyone' },
  'POST /login/invitation/preview': { level: 'anyone' },
  'POST /api/users/invite': { level: 'manager', more: 'Admins and groups can be given by admins only.' },
  'POST /api/invitations/bulk': { level: 'manager', more: 'Admins and groups can be given by admins only.' },
  'GET /api/invitations': { level: 'member', more: managed },
  'GET /api/invitations/{id}': { level: 'manager' },
  'POST /api/invitations/resend': { level: 'member', more: managed },
  'POST /api/invitations/{id}/resend': { level: 'manager' },
  'DELETE /api/invitations/{id}': { level: 'manager' },
  'GET /api/access-requests': { level: 'member', more: `Own requests. ${managed}` },
  'POST /api/access-requests/{id}/approve': { level: 'manager' },
  'POST /api/access-requests/{id}/decline': { level: 'manager' },
  'GET /api/workspaces': { level: 'member', more: visible },
  'GET /api/workspaces/{id}': { level: 'viewer' },
  'GET /api/workspaces/{id}/settings': { level: 'viewer' },
  'PATCH /api/workspaces/{id}/settings': { level: 'manager' },
  'GET /api/workspaces/{id}/members': { level: 'manager' },
  'PUT /api/workspaces/{id}/members/{user_id}': { level: 'manager' },
  'DELETE /api/workspaces/{id}/members/{user_id}': { level: 'manager' },
  'GET /api/workspaces/{id}/candidates': { level: 'manager' },
  'GET /api/workspaces/{id}/grants': { level: 'manager' },
  'PUT /api/workspaces/{id}/grants/users/{user_id}': { level: 'manager' },
  'PUT /api/workspaces/{id}/grants/groups/{group_id}': { level: 'manager', more: candidates },
  'DELETE /api/workspaces/{id}/grants/users/{user_id}': { level: 'manager' },
  'DELETE /api/workspaces/{id}/grants/groups/{group_id}': { level: 'manager' },
  'GET /api/reports': { level: 'member', more: visible },
  'GET /api/reports/{id}': { level: 'viewer' },
  'POST /api/reports/{id}/embed-token': { level: 'viewer', more: 'Editing requires the role editor.' },
  'PUT /api/reports/{id}/favourite': { level: 'viewer' },
  'DELETE /api/reports/{id}/favourite': { level: 'viewer' },
  'GET /api/reports/{id}/views': { level: 'viewer' },
  'POST /api/reports/{id}/views': { level: 'viewer', more: shared },
  'GET /api/reports/{id}/views/{view_id}': { level: 'viewer' },
  'PATCH /api/reports/{id}/views/{view_id}': { level: 'viewer', more: changed },
  'DELETE /api/reports/{id}/views/{view_id}': {
    level: 'viewer',
    more: 'A shared view of another user requires the role manager.',
  },
  'POST /api/reports/{id}/exports': {
    level: 'viewer',
    more: 'Viewers only where the workspace lets them export; others require the role editor.',
  },
  'GET /api/reports/{id}/export-options': { level: 'viewer' },
  'GET /api/exports/{id}': { level: 'member', more: own },
  'GET /api/exports/{id}/file': { level: 'member', more: own },
  'POST /api/exports/{id}/tickets': { level: 'member', more: own },
  'DELETE /api/exports/{id}': { level: 'member', more: own },
  'GET /api/reports/{id}/grants': { level: 'manager' },
  'PUT /api/reports/{id}/grants/users/{user_id}': { level: 'manager' },
  'PUT /api/reports/{id}/grants/groups/{group_id}': { level: 'manager', more: candidates },
  'DELETE /api/reports/{id}/grants/users/{user_id}': { level: 'manager' },
  'DELETE /api/reports/{id}/grants/groups/{group_id}': { level: 'manager' },
  'GET /api/reports/{id}/viewers': { level: 'manager' },
  'GET /api/reports/{id}/embed-check': { level: 'manager' },
  'POST /api/embed-grants/revoke': {
    level: 'manager',
    more: 'A user without a report or workspace: admins only.',
  },
  'DELETE /api/embed-grants/revocations/{id}': {
    level: 'manager',
    more: 'A block of a user without a report or workspace: admins only.',
  },
  'GET /api/access/explain': { level: 'manager' },
  'GET /api/access/review': { level: 'manager', more: 'Without `workspace_id` or `report_id` admins only.' },
  'GET /api/usage/overview': { level: 'manager' },
  'GET /api/usage/reports': { level: 'manager' },
  'GET /api/usage/reports/{id}/pages': { level: 'viewer' },
  'GET /api/usage/reports/{id}': { level: 'viewer', more: 'Who opened it: managers and admins only.' },
  'GET /api/usage/workspaces': { level: 'manager' },
  'GET /api/usage/workspaces/{id}': { level: 'manager' },
  'GET /api/usage/groups/{id}': { level: 'manager', more: 'Managers: groups that hold a grant there.' },
  'GET /api/usage/people/{id}': { level: 'manager' },
  'GET /api/usage/unused': { level: 'manager' },
  'GET /api/search': { level: 'member', more: `${visible} Users are found by admins only.` },
};

/** Who may call the operation, as a level and in words. */
export function callersOf(name: string, isAdminOnly: boolean): { level: CallerLevel; text: string } {
  const { level, more } = isAdminOnly ? { level: 'admin' as const } : (callers[name] ?? { level: 'member' });
  return { level, text: more === undefined ? callerSentences[level] : `${callerSentences[level]} ${more}` };
}

export const operationsWithCallers = Object.keys(callers);
