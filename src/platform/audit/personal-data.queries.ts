// SQL, because an export reads each of these by a cursor.
import { type PersonalData, rowsById } from '../../core/database/personal-data.js';

const keeps =
  'evidence of who did what, required to detect and prove misuse (GDPR art. 6 (1) f and 17 (3) e); append-only, deleted after AUDIT_RETENTION_DAYS';

export const personalData: PersonalData[] = [
  {
    table: 'audit_events',
    columns: ['actor_id', 'ip', 'user_agent'],
    holds: 'who did something, from which address and with which browser',
    export: {
      section: 'audit_events_by_this_person',
      // The details of a change of another account contain data of another person.
      rows: rowsById(
        `SELECT id, at, action, outcome, target_type, target_id, ip, user_agent, request_id,
           CASE WHEN target_type = 'user' AND target_id <> $1::text THEN NULL ELSE details END AS details
         FROM audit_events WHERE actor_id = $1::uuid ORDER BY at`,
      ),
    },
    erasure: { keeps },
  },
  {
    table: 'audit_events',
    columns: ['target_id', 'details'],
    holds: 'whom an event is about; of a changed account only the names of the fields',
    export: {
      section: 'audit_events_about_this_person',
      // The details of a change of many members contain the ids of other people.
      rows: rowsById(
        `SELECT id, at, action, outcome, actor_id, target_type, target_id,
           CASE WHEN details ? 'member_ids' THEN jsonb_set(details, '{member_ids}', jsonb_build_array($1::text))
             ELSE details END AS details
         FROM audit_events
         WHERE actor_id IS DISTINCT FROM $1::uuid AND (
           target_type = 'user' AND target_id = $1::text
           OR action IN ('group_member_added', 'group_member_removed')
             AND (details->>'member_id' = $1::text OR details->'member_ids' ? $1::text)
           OR action = 'embed_access_revoked' AND details->>'user_id' = $1::text)
         ORDER BY at`,
      ),
    },
    erasure: { keeps },
  },
];
