import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tokenPartitions } from './initial-schema/embed.js';

interface Names {
  table: 'embed_grants' | 'issued_tokens';
  count: string;
  last: string;
}

const before: Names = { table: 'embed_grants', count: 'handed_out', last: 'last_handed_out_at' };
const after: Names = { table: 'issued_tokens', count: 'times_issued', last: 'last_issued_at' };

/** The table, its columns, partitions, indexes and constraints. The functions of its partitions name it: they are created again. */
const rename = (from: Names, to: Names): string => `
DROP FUNCTION ${from.table}_prepare_partitions(integer), ${from.table}_drop_partitions(integer),
  ${from.table}_create_partition(timestamp), ${from.table}_require_writer();
ALTER TABLE ${from.table} RENAME COLUMN ${from.count} TO ${to.count};
ALTER TABLE ${from.table} RENAME COLUMN ${from.last} TO ${to.last};
ALTER TABLE ${from.table} RENAME CONSTRAINT ${from.table}_access_check TO ${to.table}_access_check;
DO $$
DECLARE
  relation text;
BEGIN
  FOR relation IN
    SELECT relname FROM pg_class
    WHERE relnamespace = quote_ident(current_schema())::regnamespace AND starts_with(relname, '${from.table}')
  LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', relation, replace(relation, '${from.table}', '${to.table}'));
  END LOOP;
END $$;
`;

/** `embed_grants` becomes `issued_tokens`: a grant is a right, and these rows are tokens. */
export class IssuedTokens1798860000000 implements MigrationInterface {
  readonly name = 'IssuedTokens1798860000000';

  up(runner: QueryRunner): Promise<void> {
    return this.change(runner, before, after);
  }

  down(runner: QueryRunner): Promise<void> {
    return this.change(runner, after, before);
  }

  private async change(runner: QueryRunner, from: Names, to: Names): Promise<void> {
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    await runner.query(rename(from, to) + tokenPartitions(row.schema, to.table));
  }
}
