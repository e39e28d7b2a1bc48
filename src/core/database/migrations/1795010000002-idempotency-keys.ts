import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `json`, not `jsonb`: the response is replayed in the order in which it was written. */
const schema = `
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
`;

export class IdempotencyKeys1795010000002 implements MigrationInterface {
  readonly name = 'IdempotencyKeys1795010000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schema);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
