import type { EntityManager } from 'typeorm';
import { execute } from './execute.js';

/** SQL expression: the day of an instant in a time zone. */
export const dayOf = (time: string, zone: string): string => `((${time}) AT TIME ZONE ${zone})::date`;

/**
 * SQL expression: the first instant whose day in a time zone is `day`, a SQL expression of type date. Where clocks are set back
 * to midnight, that time of day occurs twice and PostgreSQL returns the second; the offset of the day before gives the first.
 */
export function startOfDay(day: string, zone: string): string {
  const midnight = `(${day})::timestamp`;
  const start = `(${midnight} AT TIME ZONE ${zone})`;
  const before = `(${start} - interval '1 day')`;
  const offset = `((${before} AT TIME ZONE ${zone}) - (${before} AT TIME ZONE 'UTC'))`;
  const first = `((${midnight} - ${offset}) AT TIME ZONE 'UTC')`;
  return `least(${start}, CASE WHEN ${first} AT TIME ZONE ${zone} >= ${midnight} THEN ${first} END)`;
}

export const nextDay = (day: string, zone: string): string => startOfDay(`(${day}) + 1`, zone);

/** SQL expression: the start of the hour of an instant; the hours of a day begin with it, also if its clocks change by half an hour. */
export const hourOf = (time: string, zone: string): string =>
  `date_bin('1 hour', ${time}, ${startOfDay(dayOf(time, zone), zone)})`;

/** SQL query: the start of each hour of the days from `from` until before `to`. */
export const hoursOf = (from: string, to: string, zone: string): string =>
  `SELECT start FROM generate_series((${from})::timestamp, (${to})::timestamp - interval '1 day', '1 day') AS day,
     generate_series(${startOfDay('day::date', zone)}, ${nextDay('day::date', zone)} - interval '1 microsecond', '1 hour') AS start`;

/** The first instant of a day (`YYYY-MM-DD`), and that of the next day. */
export async function limitsOfDay(manager: EntityManager, day: string, zone: string) {
  const { rows } = await execute<{ start: Date; end: Date }>(
    manager,
    `SELECT ${startOfDay('$1::date', '$2::text')} AS start, ${nextDay('$1::date', '$2::text')} AS "end"`,
    [day, zone],
  );
  return rows[0] as { start: Date; end: Date };
}
