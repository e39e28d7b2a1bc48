// SQL, because an export reads each of these by a cursor.
import { eraseRows, type PersonalData, rowsById } from '../../core/database/personal-data.js';
import { Favourite, RecentReport } from './favourite.entity.js';

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
  {
    table: 'recent_reports',
    columns: ['user_id'],
    holds: 'the reports that a person opened last',
    export: {
      section: 'recent_reports',
      rows: rowsById('SELECT report_id, opened_at FROM recent_reports WHERE user_id = $1'),
    },
    erasure: { does: 'delete', run: eraseRows(RecentReport, 'userId') },
  },
];
