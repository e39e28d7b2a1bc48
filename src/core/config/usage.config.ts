import { isTimeZone } from '../validation/time-zone.js';
import type { Environment } from './environment.js';

/** Usage figures: who appears in them, to whom, and for how long. */
export function readUsage(root: Environment) {
  const env = root.group('Usage');
  const people = env.oneOf(
    'USAGE_PEOPLE',
    'People in usage figures: `named` stores user ids, `pseudonymous` a keyed hash with a new key each month, `off` nothing',
    ['named', 'pseudonymous', 'off'],
    'named',
  );
  return {
    /** Whether views are stored with the user's id. */
    identifiesUsers: people === 'named',
    /** Whether views are stored with anything that distinguishes people. */
    countsViewers: people !== 'off',
    showsPeopleToManagers: env.boolean(
      'USAGE_PEOPLE_FOR_MANAGERS',
      'Show managers who opened the reports of their workspaces; admins always see it',
      true,
    ),
    visibleToViewers: env.boolean(
      'USAGE_VISIBLE_TO_VIEWERS',
      'Show the figures of a report, without people, to everyone who can open it',
      true,
    ),
    showsDemoNotice: env.boolean(
      'USAGE_DEMO_NOTICE',
      'Mark usage figures in the portal as demo data; only `npm start`, which generates such data, sets it',
      false,
    ),
    timeZone: env.string(
      'USAGE_TIME_ZONE',
      'Time zone of the days in usage figures, and of days without a time in requests, such as `expires_at`. After a change, the days whose single views still exist are computed again; hours around the first of them can count twice or not at all',
      'UTC',
      'IANA time zone name',
      { holds: isTimeZone, problem: 'must be an IANA time zone name, such as Europe/Berlin' },
    ),
    // A month of viewers is computed from its days.
    rawDays: env.integer(
      'USAGE_RAW_DAYS',
      'Retention of single views, and of people in usage figures, in days; deleted in whole months',
      { min: 35, max: 3650, fallback: 90 },
    ),
    rollupMonths: env.integer('USAGE_ROLLUP_MONTHS', 'Retention of usage figures, in months', {
      min: 2,
      max: 120,
      fallback: 25,
    }),
  };
}

export type UsageConfig = ReturnType<typeof readUsage>;
