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
  source: 'manual' | 'provider' | 'scim' | null;
  granted_by: { id: string; name: string | null } | null;
  granted_at: string | null;
  expires_at: string | null;
  last_token_at: string | null;
}
