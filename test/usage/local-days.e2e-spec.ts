import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { dayOf, hourOf, hoursOf, nextDay, startOfDay } from '../../src/core/database/local-days.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import { startService, type Service } from '../support/service.js';
import { isFull } from '../support/test-size.js';
import { plant, rollUp } from './figures.js';

const HAVANA = 'America/Havana';

let service: Service;
let database: DataSource;
let report: Report;
let person: User;

beforeAll(async () => {
  service = await startService({ USAGE_TIME_ZONE: HAVANA });
  database = service.database;
  report = await service.factory.report(await service.factory.workspace());
  person = await service.factory.user();
});
afterAll(() => service.close());

describe('C5 a day starts at the first instant whose day it is', () => {
  test('no view is lost on a day that begins with an hour that occurs twice, by day and by hour', async () => {
    service.clock.advance((Date.parse('2026-11-02T18:00:00Z') - service.clock.now().getTime()) / 1000);
    const admin = await service.asAdmin();
    const times = [
      '2026-11-01T03:59:59Z',
      '2026-11-01T04:10:00Z',
      '2026-11-01T04:50:00Z',
      '2026-11-01T05:10:00Z',
    ];
    await plant(
      service,
      times.map((at) => ({ report, person: person.id, at })),
    );
    await rollUp(service);
    const viewsBy = async (bucket: string) => {
      const { body } = await admin.get<{ buckets: { start: string; views: number }[] }>(
        `/api/usage/reports/${report.id}?from=2026-10-31&to=2026-11-02&bucket=${bucket}`,
      );
      return body.buckets.filter(({ views }) => views > 0).map(({ start, views }) => [start, views]);
    };
    expect(await viewsBy('day')).toEqual([
      ['2026-10-31', 1],
      ['2026-11-01', 3],
    ]);
    expect(await viewsBy('hour')).toEqual([
      ['2026-11-01T03:00:00.000Z', 1],
      ['2026-11-01T04:00:00.000Z', 2],
      ['2026-11-01T05:00:00.000Z', 1],
    ]);
    const { body } = await admin.get<{ buckets: { start: string; views: number }[] }>(
      `/api/usage/people/${person.id}?from=2026-11-01&to=2026-11-02&bucket=hour`,
    );
    expect(body.buckets.map(({ start, views }) => [start, views])).toEqual([
      ['2026-11-01T04:00:00.000Z', 2],
      ['2026-11-01T05:00:00.000Z', 1],
    ]);
  });

  // Days near a change of the offset; all others are 24 hours that begin at the same time of day.
  const changes = `
    SELECT name AS zone, day::date AS day FROM unnest($1::text[]) AS name, generate_series($2::timestamp, $3::timestamp, '1 day') AS day
    WHERE (day AT TIME ZONE 'UTC') AT TIME ZONE name - day
      <> ((day - interval '3 days') AT TIME ZONE 'UTC') AT TIME ZONE name - (day - interval '3 days')`;
  const [first, last] = isFull ? ['2020-01-01', '2035-12-31'] : ['2025-10-01', '2027-04-30'];
  const values = [Intl.supportedValuesOf('timeZone'), first, last];

  test('in every time zone the days of years follow each other without gap and overlap', async () => {
    const [{ checked }] = await database.query(
      `SELECT count(*)::int AS checked FROM (${changes}) AS near`,
      values,
    );
    expect(checked).toBeGreaterThan(isFull ? 10_000 : 1000);
    const wrong = await database.query(
      `SELECT zone, day, start FROM (SELECT *, ${startOfDay('day', 'zone')} AS start FROM (${changes}) AS near) AS started
       WHERE start IS NULL OR ${dayOf('start', 'zone')} <> day
         OR ${dayOf("start - interval '1 microsecond'", 'zone')} <> day - 1
         OR ${nextDay('day - 1', 'zone')} <> start LIMIT 5`,
      values,
    );
    expect(wrong).toEqual([]);
  });

  test('in every time zone each instant of years is in one hour of its day', async () => {
    // Every half hour of a day, and the second before the next.
    const wrong = await database.query(
      `WITH instants AS (
         SELECT zone, day, at FROM (${changes}) AS near,
           generate_series(${startOfDay('day', 'zone')}, ${nextDay('day', 'zone')} - interval '1 second', '30 minutes') AS half_hour,
           unnest(ARRAY[half_hour, half_hour + interval '29 minutes 59 seconds']) AS at
         WHERE abs(hashtext(zone || day)) % $4 = 0 AND at < ${nextDay('day', 'zone')}
       )
       SELECT zone, day, at, ${hourOf('at', 'zone')} AS hour FROM instants
       WHERE ${dayOf('at', 'zone')} <> day OR at - ${hourOf('at', 'zone')} >= interval '1 hour'
         OR ${hourOf('at', 'zone')} > at
         OR ${hourOf('at', 'zone')} NOT IN (${hoursOf('day', 'day + 1', 'zone')}) LIMIT 5`,
      [...values, isFull ? 1 : 5],
    );
    expect(wrong).toEqual([]);
  }, 1_200_000);
});
