import { monthlyPartitions } from './partitions.js';

/**
 * `position` has the order in which events were inserted, on all replicas. `seq` is assigned after the commit, without
 * gaps; `event_sequence` has the last one, because the rows may be gone.
 */
const events = `
CREATE SEQUENCE events_position_seq;
CREATE TABLE events (
  id uuid NOT NULL,
  seq bigint,
  position bigint NOT NULL DEFAULT nextval('events_position_seq'),
  type text NOT NULL,
  subject text NOT NULL,
  data jsonb NOT NULL,
  at timestamptz(3) NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
ALTER SEQUENCE events_position_seq OWNED BY events.position;
CREATE TABLE events_default PARTITION OF events DEFAULT;
CREATE INDEX events_seq_idx ON events (seq) WHERE seq IS NOT NULL;
CREATE INDEX events_unassigned_idx ON events (position) WHERE seq IS NULL;

CREATE TABLE event_sequence (
  id integer NOT NULL CONSTRAINT event_sequence_one_row_check CHECK (id = 1),
  last_seq bigint NOT NULL,
  CONSTRAINT event_sequence_pkey PRIMARY KEY (id)
);
INSERT INTO event_sequence (id, last_seq) VALUES (1, 0);
`;

const webhooks = `
CREATE TABLE webhooks (
  id uuid NOT NULL,
  url text NOT NULL,
  types text[] NOT NULL,
  status text NOT NULL CONSTRAINT webhooks_status_check CHECK (status IN ('active', 'disabled')),
  disabled_reason text CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN ('admin', 'gone', 'failing')),
  created_at timestamptz(3) NOT NULL,
  position bigint NOT NULL,
  failures integer NOT NULL,
  failing_since timestamptz(3),
  next_attempt_at timestamptz(3) NOT NULL,
  leased_by uuid,
  leased_until timestamptz(3),
  CONSTRAINT webhooks_pkey PRIMARY KEY (id)
);

CREATE TABLE webhook_secrets (
  id uuid NOT NULL,
  webhook_id uuid NOT NULL CONSTRAINT webhook_secrets_webhook_id_fkey REFERENCES webhooks ON DELETE CASCADE,
  sealed bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  CONSTRAINT webhook_secrets_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_secrets_webhook_id_idx ON webhook_secrets (webhook_id);

CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  webhook_id uuid NOT NULL CONSTRAINT webhook_deliveries_webhook_id_fkey REFERENCES webhooks ON DELETE CASCADE,
  event_id uuid NOT NULL,
  seq bigint,
  event_type text NOT NULL,
  kind text NOT NULL CONSTRAINT webhook_deliveries_kind_check CHECK (kind IN ('event', 'redelivery', 'ping')),
  attempt integer NOT NULL,
  error text,
  status_code integer,
  duration_ms integer NOT NULL,
  at timestamptz(3) NOT NULL,
  next_attempt_at timestamptz(3),
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_deliveries_webhook_id_idx ON webhook_deliveries (webhook_id, at, id);
CREATE INDEX webhook_deliveries_at_idx ON webhook_deliveries (at);

CREATE TABLE webhook_redeliveries (
  id uuid NOT NULL,
  webhook_id uuid NOT NULL CONSTRAINT webhook_redeliveries_webhook_id_fkey REFERENCES webhooks ON DELETE CASCADE,
  event_id uuid,
  from_at timestamptz(3),
  to_at timestamptz(3),
  position bigint NOT NULL,
  through bigint NOT NULL,
  failures integer NOT NULL,
  next_attempt_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT webhook_redeliveries_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_redeliveries_webhook_id_idx ON webhook_redeliveries (webhook_id, id);
`;

export const eventsAndWebhooks = (schema: string): string =>
  events +
  monthlyPartitions(schema, {
    table: 'events',
    time: 'at',
    notWriter: 'the partitions of events require the right to write them',
    keptDays: 1,
    keptShorter: 'events are kept for at least a day',
  }) +
  webhooks;
