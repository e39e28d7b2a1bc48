// SQL, because a favourite is inserted up to a limit.
import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { eraseRows, type PersonalData, rowsById } from '../../core/database/personal-data.js';
import { Favourite } from './favourite.entity.js';

/** Newest first. */
export const listFavourites = async (manager: EntityManager, userId: string): Promise<string[]> => {
  const favourites = await manager.find(Favourite, {
    where: { userId },
    order: { createdAt: 'DESC', reportId: 'ASC' },
  });
  return favourites.map(({ reportId }) => reportId);
};

interface NewFavourite {
  userId: string;
  reportId: string;
  now: Date;
  max: number;
}

/** Returns false if the user has the maximum of favourites, and this is not one of them. */
export async function addFavourite(
  tx: EntityManager,
  { userId, reportId, now, max }: NewFavourite,
): Promise<boolean> {
  await execute(
    tx,
    `INSERT INTO favourites (user_id, report_id, created_at)
     SELECT $1, $2, $3 WHERE (SELECT count(*) FROM favourites WHERE user_id = $1) < $4
     ON CONFLICT DO NOTHING`,
    [userId, reportId, now, max],
  );
  return tx.existsBy(Favourite, { userId, reportId });
}

export const personalData: PersonalData[] = [
  {
    table: 'favourites',
    columns: ['user_id'],
    holds: 'the favourite reports of a person',
    export: {
      section: 'favourites',
      rows: rowsById('SELECT report_id, created_at FROM favourites WHERE user_id = $1'),
    },
    erasure: { does: 'delete', run: eraseRows(Favourite, 'userId') },
  },
];
