import { eraseById, type PersonalData, reasons, rowsById } from '../core/database/personal-data.js';

const exported = 'source, role, expires_at, granted_by, created_at';

export const personalData: PersonalData[] = [
  {
    table: 'workspace_grants',
    columns: ['user_id'],
    holds: 'who has access to a workspace',
    export: {
      section: 'workspace_grants',
      rows: rowsById(`SELECT workspace_id, ${exported} FROM workspace_grants WHERE user_id = $1`),
    },
    erasure: { does: 'delete', run: eraseById('DELETE FROM workspace_grants WHERE user_id = $1') },
  },
  {
    table: 'report_grants',
    columns: ['user_id'],
    holds: 'who has access to a report',
    export: {
      section: 'report_grants',
      rows: rowsById(`SELECT report_id, workspace_id, ${exported} FROM report_grants WHERE user_id = $1`),
    },
    erasure: { does: 'delete', run: eraseById('DELETE FROM report_grants WHERE user_id = $1') },
  },
  ...['workspace_grants', 'report_grants'].map((table): PersonalData => ({
    table,
    columns: ['granted_by'],
    holds: 'who gave access to others',
    export: { omits: reasons.recordedInTrail },
    erasure: { keeps: reasons.erasedUser },
  })),
];
