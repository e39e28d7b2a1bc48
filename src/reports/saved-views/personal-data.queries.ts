// SQL, because an export reads each of these by a cursor.
import type { EntityManager } from 'typeorm';
import { type ErasedPerson, type PersonalData, rowsById } from '../../core/database/personal-data.js';
import { SavedView } from './saved-view.entity.js';

/** Private views are deleted, shared ones belong to the workspace and lose their owner. */
async function eraseViews(tx: EntityManager, { id }: ErasedPerson): Promise<void> {
  await tx.delete(SavedView, { createdBy: id, scope: 'private' });
  await tx.update(SavedView, { createdBy: id }, { createdBy: null });
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
