import { expect, test } from '@jest/globals';
import { UsageRetentionService } from '../../src/usage/usage-retention.service.js';
import { startInProcessReplica } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';
import { differences, plant, rollUp } from './figures.js';

/** Times as hours after the start of the present month (UTC), or of the month that contains the day so long ago. */
function hoursOf({ clock }: Pick<Service, 'clock'>, daysAgo = 0): (hours: number) => string {
  const start = new Date(clock.now().getTime() - daysAgo * 86_400_000);
  start.setUTCDate(1);
  start.setUTCHours(0, 0, 0, 0);
  return (hours) => new Date(start.getTime() + hours * 3_600_000).toISOString();
}

/** Until the check passes on a replica with this zone. The other one, which has the old zone, may compute the days once more. */
async function inZone(service: Service, zone: string, check: () => Promise<boolean>): Promise<void> {
  const environment = { ...service.environment, USAGE_TIME_ZONE: zone };
  const replica = await startInProcessReplica({ ...service, environment });
  try {
    await until(async () => {
      await rollUp(replica);
      return check();
    });
  } finally {
    await replica.close();
  }
}

test.each([
  ['UTC', 'Pacific/Auckland'],
  ['Pacific/Auckland', 'UTC'],
  ['UTC', 'America/Sao_Paulo'],
])('a change from %s to %s counts each view of a young installation once', async (before, after) => {
  const service = await startService({ USAGE_TIME_ZONE: before });
  try {
    await service.waitForJobs();
    const workspace = await service.factory.workspace();
    const [often, late, early] = [
      await service.factory.report(workspace),
      await service.factory.report(workspace),
      await service.factory.report(workspace),
    ];
    const [ada, ben] = [await service.factory.user(), await service.factory.user()];
    const at = hoursOf(service);
    await plant(service, [
      { report: often, person: ada.id, at: at(-14) },
      { report: often, person: ada.id, at: at(-4) },
      // The month of these views, and with it that of their person, differs between the zones.
      { report: late, person: ben.id, at: at(-4) },
      { report: early, person: ben.id, at: at(1) },
    ]);
    await rollUp(service);
    await inZone(service, after, async () => (await differences(service, after)).length === 0);
    const months = await service.database.query(
      'SELECT report_id, sum(views)::int AS views FROM reporting.report_months GROUP BY report_id',
    );
    expect(
      new Map(months.map((row: { report_id: string; views: number }) => [row.report_id, row.views])),
    ).toEqual(
      new Map([
        [often.id, 2],
        [late.id, 1],
        [early.id, 1],
      ]),
    );
  } finally {
    await service.close();
  }
});

test('a change of the zone keeps the figures of days that lost views, also in their month', async () => {
  const service = await startService({ USAGE_TIME_ZONE: 'Pacific/Auckland', USAGE_RAW_DAYS: '40' });
  try {
    await service.waitForJobs();
    const report = await service.factory.report(await service.factory.workspace());
    const [ada, ben] = [await service.factory.user(), await service.factory.user()];
    const at = hoursOf(service, 40);
    await plant(service, [
      { report, person: ada.id, at: at(-30) },
      // The first day of the month in Auckland.
      { report, person: ada.id, at: at(-2) },
      { report, person: ben.id, at: at(60) },
    ]);
    await rollUp(service);
    await service.app.get(UsageRetentionService).maintain();
    const months = () =>
      service.database.query(
        `SELECT month::text, views, viewers FROM reporting.report_months WHERE views > 0 ORDER BY month`,
      );
    const stored = await months();
    expect(stored).toMatchObject([
      { views: 1, viewers: 1 },
      { views: 2, viewers: 2 },
    ]);
    await inZone(service, 'UTC', async () => {
      const [{ zone }] = await service.database.query('SELECT time_zone AS zone FROM usage_state');
      return zone === 'UTC';
    });
    expect(await months()).toEqual(stored);
  } finally {
    await service.close();
  }
});
