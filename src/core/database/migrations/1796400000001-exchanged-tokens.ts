import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Without a foreign key: a record outlives its session, so that the token cannot begin another one. */
const table = `
CREATE TABLE exchanged_tokens (
  hash bytea CONSTRAINT exchanged_tokens_pkey PRIMARY KEY,
  session_id uuid NOT NULL,
  exchanged_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX exchanged_tokens_expires_at_idx ON exchanged_tokens (expires_at);
`;

export class ExchangedTokens1796400000001 implements MigrationInterface {
  readonly name = 'ExchangedTokens1796400000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE exchanged_tokens');
  }
}
