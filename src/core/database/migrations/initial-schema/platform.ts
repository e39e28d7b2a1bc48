/**
 * `rate_limits` has the columns, in this order, that rate-limiter-flexible writes; `expire` is in milliseconds. The body of an
 * idempotent response is `json`, not `jsonb`: it is replayed in the order in which it was written.
 */
const requests = `
CREATE TABLE rate_limits (
  key varchar(255) CONSTRAINT rate_limits_pkey PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_limits_expire_idx ON rate_limits (expire);

CREATE TABLE idempotency_keys (
  user_id uuid NOT NULL CONSTRAINT idempotency_keys_user_id_fkey REFERENCES users ON DELETE CASCADE,
  route text NOT NULL,
  key text NOT NULL,
  request_mac bytea NOT NULL,
  status integer NOT NULL,
  location text,
  body json NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, route, key)
);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

CREATE TABLE change_epochs (
  topic text CONSTRAINT change_epochs_pkey PRIMARY KEY,
  epoch bigint NOT NULL
) WITH (fillfactor = 50);
`;

/**
 * The files of the branding are in the database, so that every replica and each backup has them. `onboarding` has whether the
 * checklist for the first admins is hidden.
 */
const settings = `
CREATE TABLE branding (
  id smallint CONSTRAINT branding_pkey PRIMARY KEY CONSTRAINT branding_one_row CHECK (id = 1),
  product_name text,
  primary_color text CONSTRAINT branding_primary_color CHECK (primary_color ~ '^#[0-9a-f]{6}$'),
  sign_in_text text,
  support_url text,
  sender_name text,
  updated_at timestamptz
);
INSERT INTO branding (id) VALUES (1);

CREATE TABLE branding_images (
  kind text CONSTRAINT branding_images_pkey PRIMARY KEY
    CONSTRAINT branding_images_kind CHECK (kind IN ('logo', 'logo-dark', 'favicon')),
  hash text NOT NULL,
  media_type text NOT NULL,
  content bytea NOT NULL CONSTRAINT branding_images_size CHECK (octet_length(content) <= 262144),
  updated_at timestamptz NOT NULL
);

CREATE TABLE onboarding (
  id smallint CONSTRAINT onboarding_pkey PRIMARY KEY CONSTRAINT onboarding_one_row CHECK (id = 1),
  dismissed_at timestamptz
);
INSERT INTO onboarding (id) VALUES (1);
`;

export const platform = requests + settings;
