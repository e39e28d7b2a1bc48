// SQL, because an export reads each of these by a cursor.
import { eraseRows, type PersonalData, reasons, rowsById } from '../../core/database/personal-data.js';
import { AccessRequest } from './access-request.entity.js';

export const personalData: PersonalData[] = [
  {
    table: 'access_requests',
    columns: ['requester_id', 'reason'],
    holds: 'who asked for access, and why',
    export: {
      section: 'access_requests',
      rows: rowsById(
        `SELECT id, target_type, target_id, reason, created_at, decision, decided_at
         FROM access_requests WHERE requester_id = $1`,
      ),
    },
    erasure: { does: 'delete', run: eraseRows(AccessRequest, 'requesterId') },
  },
  {
    table: 'access_requests',
    columns: ['decided_by'],
    holds: "who decided another person's request",
    export: { omits: reasons.recordedInTrail },
    erasure: { keeps: reasons.erasedUser },
  },
];
