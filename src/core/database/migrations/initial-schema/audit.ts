import { monthlyPartitions } from './partitions.js';

const table = `
CREATE TABLE audit_events (
  id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  action text NOT NULL,
  outcome text NOT NULL CONSTRAINT audit_events_outcome_check CHECK (outcome IN ('allowed', 'denied', 'failed')),
  actor_id uuid,
  target_type text,
  target_id text,
  ip text,
  user_agent text,
  request_id text,
  details jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT audit_events_pkey PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
CREATE TABLE audit_events_default PARTITION OF audit_events DEFAULT;
CREATE INDEX audit_events_actor_id_idx ON audit_events (actor_id, at);
CREATE INDEX audit_events_target_idx ON audit_events (target_type, target_id, at);
CREATE INDEX audit_events_target_id_at_id_idx ON audit_events (target_id, at, id);
CREATE INDEX audit_events_action_idx ON audit_events (action, at);
CREATE INDEX audit_events_outcome_at_id_idx ON audit_events (outcome, at, id);
CREATE INDEX audit_events_request_id_idx ON audit_events (request_id);
`;

/** Refused for everybody, the owner included; a partition may be truncated by name, so each has that trigger itself. */
const appendOnly = (schema: string): string => `
CREATE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = ${schema}, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION audit_refuse_change();
CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events_default
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
`;

export const audit = (schema: string): string =>
  table +
  appendOnly(schema) +
  monthlyPartitions(schema, {
    table: 'audit_events',
    functions: 'audit',
    time: 'at',
    notWriter: 'only who writes the audit trail may tend it',
    // The minimum prevents an attacker who controls the service from dropping recent partitions of the trail.
    keptDays: 90,
    keptShorter: 'the audit trail is kept for at least 90 days',
    afterCreation: `
  EXECUTE format('CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change()', partition);`,
    afterDefault: `
    CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events_default
      FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();`,
  });
