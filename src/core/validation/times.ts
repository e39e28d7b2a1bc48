import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '#openapi';
import { Satisfies } from './validators.js';

const day = /^\d{4}-\d\d-\d\d$/;
const rfc3339 =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const MIN = Date.UTC(1970, 0, 1);
export const MAX_TIME = Date.UTC(10_000, 0, 1) - 1;

/** Whether a valid time is a day without a time. */
export const isDay = (time: string): boolean => day.test(time);

/** `Date.parse` turns February 30 into March 2. */
const isCalendarDay = (text: string): boolean => new Date(text).toJSON()?.startsWith(text) ?? false;

/** Parses a day (midnight UTC) or an RFC 3339 time in the years 1970 to 9999 (UTC); returns null for any other value. */
export function parseTime(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const text = value.toUpperCase();
  const date = day.test(text) ? text : rfc3339.exec(text)?.[1];
  if (date === undefined || !isCalendarDay(date)) return null;
  const time = Date.parse(text);
  return time >= MIN && time <= MAX_TIME ? new Date(time) : null;
}

const message =
  '$property must be YYYY-MM-DD or RFC 3339 with a zone, such as 2026-11-21T08:00:00Z, in the years 1970 to 9999';

/** A time in a request. It stays text, because a day is one of a time zone: `TimesService` converts it. */
export const IsTime = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: String,
      // Generators expect the members of a `oneOf` to have different types.
      anyOf: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'date-time' },
      ],
    }),
    Satisfies('isTime', (value) => parseTime(value) !== null, message),
  );
