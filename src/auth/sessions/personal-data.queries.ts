import { eraseById, type PersonalData, reasons, rowsById } from '../../core/database/personal-data.js';

export const personalData: PersonalData[] = [
  {
    table: 'login_codes',
    columns: ['user_id'],
    holds: 'who signs in by a one-time code',
    export: { omits: reasons.secret },
    erasure: { does: 'delete', run: eraseById('DELETE FROM login_codes WHERE user_id = $1') },
  },
  {
    table: 'sessions',
    columns: ['user_id', 'ip', 'user_agent'],
    holds: 'who signed in, from which address and with which browser',
    export: {
      section: 'sessions',
      rows: rowsById(
        `SELECT id, method, ip, user_agent, created_at, last_used_at, expires_at, ended_at, end_reason
         FROM sessions WHERE user_id = $1`,
      ),
    },
    erasure: { does: 'delete', run: eraseById('DELETE FROM sessions WHERE user_id = $1') },
  },
];
