import { monthlyPartitions } from './partitions.js';

/** People are numbers in all other tables; without a row here a number refers to no person. */
const people = `
CREATE TABLE usage_people (
  number integer GENERATED ALWAYS AS IDENTITY CONSTRAINT usage_people_pkey PRIMARY KEY,
  person uuid NOT NULL,
  month date
);
CREATE UNIQUE INDEX usage_people_person_key ON usage_people (person);
CREATE INDEX usage_people_month_idx ON usage_people (month) WHERE month IS NOT NULL;
CREATE TABLE usage_month_keys (month date CONSTRAINT usage_month_keys_pkey PRIMARY KEY, key bytea NOT NULL);
`;

/** `seqs` contains the events that are already part of the row, `page_names` the display names of pages by their ids. */
const views = `
CREATE TABLE usage_views (
  id uuid NOT NULL,
  started_at timestamptz(3) NOT NULL,
  report_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  person integer CONSTRAINT usage_views_person_fkey REFERENCES usage_people,
  by_admin boolean NOT NULL,
  page_views integer NOT NULL,
  failures integer NOT NULL,
  visible_ms integer NOT NULL,
  load_ms integer,
  load_seq smallint,
  render_ms integer,
  render_seq smallint,
  seqs smallint[] NOT NULL,
  pages text[],
  errors text[],
  page_names jsonb,
  CONSTRAINT usage_views_pkey PRIMARY KEY (id, started_at)
) PARTITION BY RANGE (started_at);
CREATE TABLE usage_views_default PARTITION OF usage_views DEFAULT;
CREATE INDEX usage_views_report_id_idx ON usage_views (report_id, started_at);
CREATE INDEX usage_views_person_idx ON usage_views (person, started_at) WHERE person IS NOT NULL;
CREATE INDEX usage_views_started_at_idx ON usage_views USING brin (started_at);
`;

/** Limits of each issued token; (day, report) pairs to roll up; progress. */
const working = `
CREATE TABLE usage_tokens (
  grant_id uuid CONSTRAINT usage_tokens_pkey PRIMARY KEY,
  minute_at timestamptz(3) NOT NULL,
  events integer NOT NULL,
  hour_at timestamptz(3) NOT NULL,
  views integer NOT NULL,
  visible_ms integer NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX usage_tokens_hour_at_idx ON usage_tokens (hour_at);
CREATE TABLE usage_changes (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT usage_changes_pkey PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  report_id uuid NOT NULL,
  noted_at timestamptz(3) NOT NULL
);
CREATE TABLE usage_state (
  id boolean CONSTRAINT usage_state_pkey PRIMARY KEY CONSTRAINT usage_state_id_check CHECK (id),
  time_zone text NOT NULL,
  rolled_at timestamptz(3) NOT NULL
);
`;

const sums = `
  views integer NOT NULL DEFAULT 0,
  issued_views integer NOT NULL DEFAULT 0,
  page_views integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  visible_ms bigint NOT NULL DEFAULT 0,
  viewers integer NOT NULL DEFAULT 0,
  people integer[],
  render integer[],
  load integer[],
  errors jsonb`;

/**
 * `people` is null after the retention of single views; `viewers` stays. `people_bits` has the people as a string of bits, the
 * first of which is for the number `people_from`, so that many days are united quickly. Rows of a report and day are wide: the key,
 * as that of `usage_report_sums`, contains what lists of reports add up. In `usage_workspace_day` the workspace 0 is the sum of all.
 */
const rollups = `
CREATE TABLE usage_report_day (
  day date NOT NULL,
  report_id uuid NOT NULL,
  by_admin boolean NOT NULL,
  workspace_id uuid NOT NULL,${sums},
  pages jsonb,
  people_from integer,
  people_bits bit varying,
  page_names jsonb,
  CONSTRAINT usage_report_day_pkey PRIMARY KEY (day, report_id, by_admin)
    INCLUDE (workspace_id, views, issued_views, page_views, failures, visible_ms)
);
CREATE INDEX usage_report_day_report_id_idx ON usage_report_day (report_id, day);
CREATE TABLE usage_report_sums (
  period text NOT NULL CONSTRAINT usage_report_sums_period_check CHECK (period IN ('week', 'month')),
  start date NOT NULL,
  report_id uuid NOT NULL,
  by_admin boolean NOT NULL,
  workspace_id uuid NOT NULL,
  views integer NOT NULL,
  issued_views integer NOT NULL,
  page_views integer NOT NULL,
  failures integer NOT NULL,
  visible_ms bigint NOT NULL,
  render integer[],
  load integer[],
  CONSTRAINT usage_report_sums_pkey PRIMARY KEY (period, start, report_id, by_admin)
    INCLUDE (workspace_id, views, issued_views, page_views, failures, visible_ms)
);
CREATE TABLE usage_workspace_day (
  day date NOT NULL,
  workspace_id uuid NOT NULL,
  by_admin boolean NOT NULL,${sums},
  people_from integer,
  people_bits bit varying,
  CONSTRAINT usage_workspace_day_pkey PRIMARY KEY (day, workspace_id, by_admin)
);
CREATE TABLE usage_report_month (
  month date NOT NULL,
  report_id uuid NOT NULL,
  by_admin boolean NOT NULL,
  workspace_id uuid NOT NULL,
  views integer NOT NULL,
  viewers integer NOT NULL,
  CONSTRAINT usage_report_month_pkey PRIMARY KEY (month, report_id, by_admin)
);
CREATE TABLE usage_active_people (
  period text NOT NULL CONSTRAINT usage_active_people_period_check CHECK (period IN ('day', 'week', 'month')),
  start date NOT NULL,
  by_admin boolean NOT NULL,
  viewers integer NOT NULL,
  people integer[],
  CONSTRAINT usage_active_people_pkey PRIMARY KEY (period, start, by_admin)
);
CREATE TABLE usage_last_views (
  report_id uuid CONSTRAINT usage_last_views_pkey PRIMARY KEY,
  last_viewed_at timestamptz(3) NOT NULL
);
`;

const figures = `views, issued_views, page_views, failures, visible_ms / 1000 AS seconds, viewers`;

/** For reporting tools, without people: their numbers and names are not part of any view. */
const reporting = `
CREATE SCHEMA reporting;
CREATE VIEW reporting.report_days AS
  SELECT day, report_id, workspace_id, by_admin, ${figures} FROM usage_report_day;
CREATE VIEW reporting.workspace_days AS
  SELECT day, workspace_id, by_admin, ${figures} FROM usage_workspace_day
  WHERE workspace_id <> '00000000-0000-0000-0000-000000000000';
CREATE VIEW reporting.report_months AS
  SELECT month, report_id, workspace_id, by_admin, views, viewers FROM usage_report_month;
CREATE VIEW reporting.active_people AS
  SELECT period, start, by_admin, viewers FROM usage_active_people;
CREATE VIEW reporting.reports AS
  SELECT r.id AS report_id, r.name AS report_name, r.workspace_id, w.name AS workspace_name, l.last_viewed_at, r.retired_at
  FROM reports r JOIN workspaces w ON w.id = r.workspace_id LEFT JOIN usage_last_views l ON l.report_id = r.id;
`;

/** Roles belong to the server, so it may exist; without CREATEROLE deploy/sql/reporting.sql creates it. */
const reportingRole = `
DO $$
BEGIN
  CREATE ROLE vitrine_reporting NOLOGIN;
EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$
BEGIN
  GRANT USAGE ON SCHEMA reporting TO vitrine_reporting;
  GRANT SELECT ON ALL TABLES IN SCHEMA reporting TO vitrine_reporting;
EXCEPTION WHEN undefined_object THEN NULL;
END $$;
`;

export const usage = (schema: string): string =>
  people +
  views +
  monthlyPartitions(schema, {
    table: 'usage_views',
    time: 'started_at',
    storage: 'fillfactor = 90',
    notWriter: 'the partitions of usage views require the right to write them',
    keptDays: 1,
    keptShorter: 'usage views are kept for at least a day',
  }) +
  working +
  rollups +
  reporting +
  reportingRole;
