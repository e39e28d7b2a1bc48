// SQL, because an export reads the rows of a person by a cursor.
import type { EntityManager } from 'typeorm';
import { lockName } from '../../core/database/locks.js';
import { type ErasedPerson, type PersonalData, rowsById } from '../../core/database/personal-data.js';
import { SavedView } from './saved-view.entity.js';

/** Serializes the creation of views of one report by one person, and returns how many there are. */
export async function countOwnViews(tx: EntityManager, userId: string, reportId: string): Promise<number> {
  await lockName(tx, `saved views ${userId} ${reportId}`);
  return tx.countBy(SavedView, { reportId, createdBy: userId });
}

/** The view with its state, if it is the user's own or shared. With `locks` it is locked until the transaction ends. */
export const findVisibleView = (
  manager: EntityManager,
  { userId, reportId, id, locks = false }: { userId: string; reportId: string; id: string; locks?: boolean },
): Promise<SavedView | null> => {
  const query = manager
    .createQueryBuilder(SavedView, 'view')
    .addSelect('view.state')
    .where('view.id = :id AND view.reportId = :reportId', { id, reportId })
    .andWhere(`(view.createdBy = :userId OR view.scope = 'shared')`, { userId });
  return (locks ? query.setLock('pessimistic_write') : query).getOne();
};

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
