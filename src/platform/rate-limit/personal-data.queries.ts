import type { PersonalData } from '../../core/database/personal-data.js';

export const personalData: PersonalData[] = [
  {
    table: 'rate_limits',
    columns: ['key'],
    holds: 'addresses of clients with too many attempts, and keyed hashes of accounts',
    export: { omits: 'not connected with an account' },
    erasure: { keeps: 'not connected with an account; deleted after at most a day' },
  },
];
