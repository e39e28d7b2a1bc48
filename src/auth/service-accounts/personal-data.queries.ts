import { type PersonalData, reasons } from '../../core/database/personal-data.js';

export const personalData: PersonalData[] = [
  {
    table: 'service_account_secrets',
    columns: ['created_by'],
    holds: 'the admin who created a secret',
    export: { omits: reasons.recordedInTrail },
    erasure: { keeps: reasons.erasedUser },
  },
];
