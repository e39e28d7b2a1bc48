import { randomUUID } from 'node:crypto';

/** Items of a page, in the requests and in the responses. */
export const PAGE = 25;

/** A named prepared statement; `$1` is the caller's id. */
export interface Statement {
  name: string;
  text: string;
}

const granted = `(SELECT workspace_id FROM grants
  WHERE user_id = $1 AND report_id IS NULL AND (expires_at IS NULL OR expires_at > now()))`;

const reportColumns = `id, name, description, workspace_id, pbi_report_id, pbi_dataset_id, report_type, web_url, updated_at`;

const oneReport = `SELECT ${reportColumns} FROM reports
  WHERE retired_at IS NULL AND workspace_id IN ${granted} AND id = $2`;

// One row more than the page, as the service needs to know whether there is a next page.
export const workspaces: Statement = {
  name: 'workspaces',
  text: `SELECT id, name, pbi_workspace_id, report_count FROM workspaces
    WHERE retired_at IS NULL AND id IN ${granted} ORDER BY name_key, id LIMIT ${PAGE + 1}`,
};

export const reports: Statement = {
  name: 'reports',
  text: `SELECT ${reportColumns} FROM reports
    WHERE retired_at IS NULL AND workspace_id IN ${granted} ORDER BY name_key, id LIMIT ${PAGE + 1}`,
};

/** `$2` is the id of the report. */
export const report: Statement = { name: 'report', text: oneReport };

/** Checks the right and writes what the service writes for each embed token: its row and an audit event. */
export const issueToken: Statement = {
  name: 'issue token',
  text: `WITH report AS (${oneReport}), issued AS (
    INSERT INTO issued_tokens (id, token_id, user_id, report_id, workspace_id, access, issued_at, expires_at,
      last_issued_at, ip, request_id)
    SELECT $3::uuid, $3::uuid, $1, id, workspace_id, 'view', now(), now() + interval '1 hour', now(), '127.0.0.1', $4 FROM report)
  INSERT INTO audit_events (id, at, action, outcome, actor_id, target_type, target_id, ip, user_agent, request_id, details)
  SELECT $3::uuid, now(), 'embed_token_issued', 'allowed', $1, 'report', id::text, '127.0.0.1', 'bench', $4, '{}' FROM report
  RETURNING id`,
};

/** The values of `issueToken`. */
export const tokenValues = (caller: string, reportId: string): string[] => [
  caller,
  reportId,
  randomUUID(),
  randomUUID(),
];
