// SQL, because an export reads each of these by a cursor.
import { eraseRows, type PersonalData, reasons, rowsById } from '../../core/database/personal-data.js';
import { Session } from './session.entity.js';
import { LoginCode } from './login-code.entity.js';

export const personalData: PersonalData[] = [
  {
    table: 'login_codes',
    columns: ['user_id'],
    holds: 'who signs in by a one-time code',
    export: { omits: reasons.secret },
    erasure: { does: 'delete', run: eraseRows(LoginCode, 'userId') },
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
    erasure: { does: 'delete', run: eraseRows(Session, 'userId') },
  },
];
