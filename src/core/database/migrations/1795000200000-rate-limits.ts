import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The shape, down to the order of the columns, that rate-limiter-flexible writes; `expire` is in milliseconds. */
const table = `
CREATE TABLE rate_limits (
  key varchar(255) CONSTRAINT rate_limits_pkey PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_limits_expire_idx ON rate_limits (expire);
`;

export class RateLimits1795000200000 implements MigrationInterface {
  readonly name = 'RateLimits1795000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_limits');
  }
}
