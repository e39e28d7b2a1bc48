import { eraseById, type PersonalData, rowsById } from '../../core/database/personal-data.js';

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
    erasure: { does: 'delete', run: eraseById('DELETE FROM group_edges WHERE user_id = $1') },
  },
];
