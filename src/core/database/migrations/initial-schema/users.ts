/**
 * A service account is a user of its own kind. `scim_deleted_at` hides a person from SCIM until erasure or reactivation. A
 * user name is unique ignoring case; a person without one has the email address as user name. A link that was requested
 * before `links_void_before` is void, also one whose mail is still queued. Without `locale` the language is that of the browser
 * or of the organization, without `time_zone` that of the browser or UTC.
 */
const users = `
CREATE TABLE users (
  id uuid CONSTRAINT users_pkey PRIMARY KEY,
  email text NOT NULL CONSTRAINT users_email_key UNIQUE,
  name text NOT NULL,
  role text NOT NULL CONSTRAINT users_role_check CHECK (role IN ('admin', 'member')),
  status text NOT NULL CONSTRAINT users_status_check CHECK (status IN ('active', 'disabled')),
  password_hash text,
  attributes jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  last_sign_in_at timestamptz(3),
  kind text NOT NULL DEFAULT 'person' CONSTRAINT users_kind_check CHECK (kind IN ('person', 'service')),
  created_by uuid CONSTRAINT users_created_by_fkey REFERENCES users,
  removed_at timestamptz(3),
  links_void_before timestamptz(3),
  locale text CONSTRAINT users_locale_check CHECK (locale IN ('en', 'de')),
  time_zone text,
  scopes text[] NOT NULL DEFAULT '{}',
  source text NOT NULL DEFAULT 'manual' CONSTRAINT users_source_check CHECK (source IN ('manual', 'scim')),
  user_name text,
  external_id text,
  given_name text,
  family_name text,
  updated_at timestamptz,
  scim_deleted_at timestamptz,
  CONSTRAINT users_service_check CHECK (kind = 'person' OR password_hash IS NULL),
  CONSTRAINT users_removed_check CHECK (removed_at IS NULL OR status = 'disabled')
);
CREATE INDEX users_name_key_idx ON users ((fold_name(name) COLLATE "und-x-icu"), id);
CREATE INDEX users_created_at_idx ON users (created_at, id);
CREATE INDEX users_admin_idx ON users (id) WHERE role = 'admin';
CREATE UNIQUE INDEX users_user_name_key ON users (lower(user_name)) WHERE user_name IS NOT NULL;
CREATE INDEX users_external_id_idx ON users (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX users_scim_deleted_at_idx ON users (scim_deleted_at) WHERE scim_deleted_at IS NOT NULL;

CREATE TABLE user_identities (
  id uuid CONSTRAINT user_identities_pkey PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT user_identities_user_id_fkey REFERENCES users ON DELETE CASCADE,
  iss text NOT NULL,
  sub text,
  tid text,
  oid text,
  email text,
  refresh_token bytea,
  provided_role text CONSTRAINT user_identities_provided_role_check CHECK (provided_role IN ('admin')),
  provided_attributes jsonb NOT NULL DEFAULT '{}',
  evaluated_at timestamptz(3),
  checking_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  last_sign_in_at timestamptz(3),
  CONSTRAINT user_identities_sub_key UNIQUE (iss, sub),
  CONSTRAINT user_identities_oid_key UNIQUE (tid, oid),
  CONSTRAINT user_identities_subject_check CHECK (sub IS NOT NULL OR (tid IS NOT NULL AND oid IS NOT NULL))
);
CREATE INDEX user_identities_user_id_idx ON user_identities (user_id);

CREATE TABLE service_account_secrets (
  id uuid CONSTRAINT service_account_secrets_pkey PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT service_account_secrets_user_id_fkey REFERENCES users ON DELETE CASCADE,
  hash bytea NOT NULL CONSTRAINT service_account_secrets_hash_key UNIQUE,
  created_by uuid NOT NULL CONSTRAINT service_account_secrets_created_by_fkey REFERENCES users,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3)
);
CREATE INDEX service_account_secrets_user_id_idx ON service_account_secrets (user_id);
`;

/**
 * A user has one password reset: a new link replaces the one before. `exchanged_tokens` has no foreign key: a record
 * outlives its session, so that the token cannot begin another one.
 */
const sessions = `
CREATE TABLE sessions (
  id uuid CONSTRAINT sessions_pkey PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT sessions_user_id_fkey REFERENCES users ON DELETE CASCADE,
  method text NOT NULL CONSTRAINT sessions_method_check
    CHECK (method IN ('password', 'oidc', 'invitation', 'exchange', 'client')),
  salt bytea NOT NULL,
  counter integer NOT NULL,
  ip text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  rotated_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  end_reason text
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_over_at_idx ON sessions ((coalesce(ended_at, expires_at)));

CREATE TABLE login_codes (
  hash bytea CONSTRAINT login_codes_pkey PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT login_codes_user_id_fkey REFERENCES users ON DELETE CASCADE,
  code_challenge text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  session_id uuid CONSTRAINT login_codes_session_id_fkey REFERENCES sessions ON DELETE CASCADE
);
CREATE INDEX login_codes_expires_at_idx ON login_codes (expires_at);
CREATE INDEX login_codes_user_id_idx ON login_codes (user_id);
CREATE INDEX login_codes_session_id_idx ON login_codes (session_id);

CREATE TABLE password_resets (
  user_id uuid CONSTRAINT password_resets_pkey PRIMARY KEY
    CONSTRAINT password_resets_user_id_fkey REFERENCES users ON DELETE CASCADE,
  request_id uuid NOT NULL,
  secret_salt bytea NOT NULL,
  secret_hash bytea NOT NULL CONSTRAINT password_resets_secret_hash_key UNIQUE,
  requested_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);

CREATE TABLE exchanged_tokens (
  hash bytea CONSTRAINT exchanged_tokens_pkey PRIMARY KEY,
  session_id uuid NOT NULL,
  exchanged_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX exchanged_tokens_expires_at_idx ON exchanged_tokens (expires_at);
`;

export const usersAndSessions = users + sessions;
