// SQL, because an export reads each of these by a cursor.
import { eraseRows, type PersonalData, rowsById } from '../../core/database/personal-data.js';
import { GroupEdge } from './group.entity.js';

export const personalData: PersonalData[] = [
  {
    table: 'group_edges',
    columns: ['user_id'],
    holds: 'who is a direct member of a group',
    export: {
      section: 'group_memberships',
      rows: rowsById(
        `SELECT e.group_id, g.name AS group_name, e.source, e.created_at
         FROM group_edges e JOIN groups g ON g.id = e.group_id WHERE e.user_id = $1`,
      ),
    },
    erasure: { does: 'delete', run: eraseRows(GroupEdge, 'user') },
  },
];
