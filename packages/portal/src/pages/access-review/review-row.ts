import type { WorkspaceRole } from '../../access/roles.js';

/** A row of `GET /api/access/review`. */
export interface ReviewRow {
  user: { id: string; name: string; email: string | null; status: 'active' | 'disabled' };
  resource: {
    type: 'workspace' | 'report' | 'everything';
    id: string | null;
    name: string | null;
    workspace_id: string | null;
    workspace_name: string | null;
  };
  role: WorkspaceRole | 'admin';
  path: string[];
  /** The group that holds the grant. */
  group_id: string | null;
  source: 'manual' | 'provider' | 'scim' | null;
  granted_by: { id: string; name: string | null } | null;
  granted_by_derived_right: boolean;
  granted_at: string | null;
  expires_at: string | null;
  last_token_at: string | null;
}
