import { monthlyPartitions } from './partitions.js';

/**
 * `embed_grants` contains who was issued which token, by month. Each index of revocations matches one kind of them:
 * `isRevoked`. Users, reports and workspaces are references without a foreign key: these rows outlive them.
 */
const tables = `
CREATE TABLE embed_grants (
  id uuid NOT NULL,
  token_id uuid NOT NULL,
  user_id uuid NOT NULL,
  report_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  access text NOT NULL CONSTRAINT embed_grants_access_check CHECK (access IN ('view', 'edit')),
  identity jsonb,
  issued_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  handed_out integer NOT NULL DEFAULT 1,
  last_handed_out_at timestamptz(3) NOT NULL,
  ip text,
  request_id text,
  CONSTRAINT embed_grants_pkey PRIMARY KEY (id, issued_at)
) PARTITION BY RANGE (issued_at);
CREATE TABLE embed_grants_default PARTITION OF embed_grants DEFAULT;
CREATE INDEX embed_grants_issued_at_idx ON embed_grants (issued_at, id);
CREATE INDEX embed_grants_user_id_idx ON embed_grants (user_id, issued_at, id);
CREATE INDEX embed_grants_report_id_idx ON embed_grants (report_id, issued_at, id);
CREATE INDEX embed_grants_workspace_id_idx ON embed_grants (workspace_id, issued_at, id);
CREATE INDEX embed_grants_expires_at_idx ON embed_grants (expires_at);

CREATE TABLE embed_revocations (
  id uuid CONSTRAINT embed_revocations_pkey PRIMARY KEY,
  user_id uuid,
  report_id uuid,
  workspace_id uuid,
  reason text,
  revoked_by uuid NOT NULL,
  revoked_at timestamptz(3) NOT NULL,
  lifted_by uuid,
  lifted_at timestamptz(3),
  CONSTRAINT embed_revocations_subject_check CHECK (num_nonnulls(user_id, report_id, workspace_id) > 0)
);
CREATE INDEX embed_revocations_revoked_at_idx ON embed_revocations (revoked_at, id) WHERE lifted_at IS NULL;
CREATE INDEX embed_revocations_user_id_idx ON embed_revocations (user_id) WHERE lifted_at IS NULL;
CREATE INDEX embed_revocations_report_id_idx ON embed_revocations (report_id)
  WHERE lifted_at IS NULL AND user_id IS NULL;
CREATE INDEX embed_revocations_workspace_id_idx ON embed_revocations (workspace_id)
  WHERE lifted_at IS NULL AND user_id IS NULL AND report_id IS NULL;
`;

/** Functions that maintain the partitions of a table of tokens. */
export function tokenPartitions(schema: string, table: 'embed_grants' | 'issued_tokens'): string {
  const rows = table.replace('_', ' ');
  // A migration that has run does not change, and the first one has another word.
  const verb = table === 'embed_grants' ? 'tend' : 'maintain';
  return monthlyPartitions(schema, {
    table,
    time: 'issued_at',
    notWriter: `only who writes ${rows} may ${verb} them`,
    // A month ends with its last token: none lives longer than a day.
    lastsFor: '1 month 1 day',
    keptDays: 1,
    keptShorter: `${rows} are kept for at least a day`,
  });
}

export const embed = (schema: string): string => tables + tokenPartitions(schema, 'embed_grants');
