import { type PersonalData, reasons } from '../core/database/personal-data.js';

export const personalData: PersonalData[] = [
  {
    table: 'sync_runs',
    columns: ['requested_by'],
    holds: 'the admin who started a sync',
    export: { omits: reasons.recordedInTrail },
    erasure: { keeps: reasons.erasedUser },
  },
];
