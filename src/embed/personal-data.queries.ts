// SQL, because an export reads each of these by a cursor.
import { type PersonalData, recordedOnly, rowsById } from '../core/database/personal-data.js';
import { EmbedRevocation } from './embed-revocation.entity.js';
import { IssuedEmbedToken } from './issued-token.entity.js';

export const personalData: PersonalData[] = [
  {
    table: 'issued_tokens',
    columns: ['user_id', 'identity', 'ip'],
    holds: 'who opened a report, under which effective identity and from which address',
    export: {
      section: 'embed_tokens',
      rows: rowsById(
        `SELECT id, report_id, workspace_id, access, identity, ip, issued_at, expires_at, times_issued, last_issued_at
         FROM issued_tokens WHERE user_id = $1`,
      ),
    },
    erasure: {
      does: 'anonymize',
      run: (tx, { id }) => tx.update(IssuedEmbedToken, { userId: id }, { identity: null, ip: null }),
    },
  },
  {
    table: 'embed_revocations',
    columns: ['user_id', 'reason'],
    holds: 'who may not open reports, and why',
    export: {
      section: 'embed_revocations',
      rows: rowsById(
        `SELECT id, report_id, workspace_id, reason, revoked_by, revoked_at, lifted_by, lifted_at
         FROM embed_revocations WHERE user_id = $1`,
      ),
    },
    erasure: {
      does: 'anonymize',
      run: (tx, { id }) => tx.update(EmbedRevocation, { userId: id }, { reason: null }),
    },
  },
  recordedOnly(
    'embed_revocations',
    ['revoked_by', 'lifted_by'],
    'who blocked embedding for others, or removed the block',
  ),
];
