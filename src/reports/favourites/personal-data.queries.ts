// SQL, because an export reads these by a cursor.
import { eraseRows, type PersonalData, rowsById } from '../../core/database/personal-data.js';
import { Favourite } from './favourite.entity.js';

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
