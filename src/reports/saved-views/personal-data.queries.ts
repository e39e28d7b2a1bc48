import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { type ErasedPerson, type PersonalData, rowsById } from '../../core/database/personal-data.js';

/** Private views are deleted, shared ones belong to the workspace and lose their owner. */
async function eraseViews(tx: EntityManager, { id }: ErasedPerson): Promise<void> {
  await execute(tx, `DELETE FROM saved_views WHERE created_by = $1 AND scope = 'private'`, [id]);
  await execute(tx, 'UPDATE saved_views SET created_by = NULL WHERE created_by = $1', [id]);
}

export const personalData: PersonalData[] = [
  {
    table: 'saved_views',
    columns: ['created_by'],
    holds: 'saved views; private ones are deleted, shared ones stay without their owner',
    export: {
      section: 'saved_views',
      rows: rowsById(
        `SELECT id, report_id, name, scope, state, page, created_at, updated_at FROM saved_views WHERE created_by = $1`,
      ),
    },
    erasure: { does: 'anonymize', run: eraseViews },
  },
];
