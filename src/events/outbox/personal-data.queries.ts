import { type PersonalData, reasons } from '../../core/database/personal-data.js';

export const personalData: PersonalData[] = [
  {
    table: 'events',
    columns: ['subject', 'data'],
    holds: 'the ids of whom an event is about and of who caused it; no names or addresses',
    export: { omits: 'the changes are in the sections of the audit trail' },
    erasure: { keeps: `${reasons.erasedUser}; events are deleted in whole months after 30 days` },
  },
];
