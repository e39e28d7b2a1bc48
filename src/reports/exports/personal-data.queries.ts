// SQL, because an export reads each of these by a cursor.
import { eraseRows, type PersonalData, rowsById } from '../../core/database/personal-data.js';
import { ReportExport } from './report-export.entity.js';

export const personalData: PersonalData[] = [
  {
    table: 'report_exports',
    columns: ['user_id', 'view_state'],
    holds: 'reports that a person exported to files; the files are deleted with them',
    export: {
      section: 'report_exports',
      rows: rowsById(
        `SELECT id, report_id, workspace_id, format, pages, view_state, status, file_name, size, created_at, finished_at, expires_at
         FROM report_exports WHERE user_id = $1`,
      ),
    },
    erasure: { does: 'delete', run: eraseRows(ReportExport, 'userId') },
  },
];
