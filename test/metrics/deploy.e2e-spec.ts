import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PgBoss } from 'pg-boss';
import { parse } from 'yaml';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { queues } from '../../src/core/database/queues.js';
import { documents } from '../docs/documents.js';
import { until } from '../support/until.js';
import { type Sample, samplesOf, startWatched, type Watched } from './scrape.js';

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { expr: string; legendFormat: string }[];
}

const { groups } = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as {
  groups: { name: string; rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readFileSync('deploy/grafana/vitrine.json', 'utf8')) as { panels: Panel[] };
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

let watched: Watched;
let text: string;
beforeAll(async () => {
  watched = await startWatched();
  text = await (await fetch(watched.url)).text();
});
afterAll(() => watched.service.close());

/** Names of metrics, as they are exported: of a histogram with what is appended to its name. */
const exported = (): Map<string, string> =>
  new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]));
const used = (expression: string): string[] => expression.match(/\b(vitrine|nodejs|process)_\w+/g) ?? [];
const baseOf = (name: string): string => name.replace(/_(bucket|count|sum)$/, '');

describe('dashboard and alerts', () => {
  test('use only metrics that the service exports', () => {
    const known = exported();
    const isKnown = (name: string) => known.has(name) || known.get(baseOf(name)) === 'histogram';
    const names = new Set(expressions.flatMap(used));
    expect(names.size).toBeGreaterThan(20);
    expect([...names].filter((name) => !isKnown(name))).toEqual([]);
    expect(isKnown('vitrine_made_up_total')).toBe(false);
  });

  test('show every metric of the service', () => {
    const names = new Set(expressions.flatMap(used).map(baseOf));
    const ours = [...exported().keys()].filter((name) => name.startsWith('vitrine_'));
    expect(ours.length).toBeGreaterThan(25);
    expect(ours.filter((name) => !names.has(name))).toEqual([]);
  });

  test('use labels that those metrics have', () => {
    const sources =
      readFileSync('src/health/metrics/counters.ts', 'utf8') +
      readFileSync('src/health/metrics/replica-gauges.service.ts', 'utf8') +
      readFileSync('src/health/metrics/stored-gauges.ts', 'utf8');
    const labels = expressions.flatMap((expression) => [
      ...[...expression.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, list = '']) => list.split(', ')),
      ...[...expression.matchAll(/[{,](\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
    ]);
    expect(labels.length).toBeGreaterThan(20);
    const ofPrometheus = ['le', 'job'];
    expect(
      labels.filter((label) => !ofPrometheus.includes(label) && !sources.includes(`'${label}'`)),
    ).toEqual([]);
  });

  test('ask for the increase of series that exist before their first event', () => {
    const samples = samplesOf(text);
    const asked = rules.flatMap(({ expr }) => [
      ...expr.matchAll(/increase\((\w+)(?:\{(\w+)="(\w+)"(?:,queue!="\w+")?\})?\[/g),
    ]);
    expect(asked).toHaveLength(9);
    for (const [selector, name, label = '', wanted] of asked) {
      const found = samples.filter((sample) => sample.name === name && sample.labels[label] === wanted);
      expect([selector, new Set(found.map(({ value }) => value))]).toEqual([selector, new Set([0])]);
    }
    const givenUp = samples.filter(
      ({ name, labels }) => name === 'vitrine_job_duration_seconds_count' && labels.result === 'given_up',
    );
    expect(givenUp.map(({ labels }) => labels.queue)).toEqual(Object.keys(queues));
  });

  test('notice a job that the queue gives up, because its replica was killed in the last attempt', async () => {
    const queue = 'usage_cleanup';
    await watched.service.database.query(
      `INSERT INTO pgboss.job (name, data, policy, state, retry_limit, retry_count, started_on, expire_seconds)
       SELECT name, '{}', policy, 'active', 0, 0, now() - interval '1 hour', 60 FROM pgboss.queue WHERE name = $1`,
      [queue],
    );
    const { boss } = watched.service.app.get<JobsService, { boss: PgBoss }>(JobsService);
    await until(async () => {
      // Otherwise once a minute.
      await boss.supervise(queue);
      return (await watched.valueOf('vitrine_jobs', { queue, state: 'dead' })) === 1;
    });
    const duration = 'vitrine_job_duration_seconds_count';
    expect(await watched.valueOf(duration, { queue, result: 'given_up' })).toBe(0);
    const { expr } = rules.find(({ alert }) => alert === 'VitrineJobsDead') as Rule;
    const dead = 'vitrine_jobs{state="dead",queue!="dataset_refreshes"}';
    expect(expr).toContain(`${dead} - min_over_time(${dead}[1h])`);
  });

  test('notice no dead job of a queue whose jobs a restart may end: the next one runs within a minute', () => {
    const { expr } = rules.find(({ alert }) => alert === 'VitrineJobsDead') as Rule;
    const selectors = [...expr.matchAll(/\{([^}]*)\}/g)].map(([, labels = '']) => labels);
    const single = Object.entries(queues).filter(([, { retryLimit }]) => retryLimit === 0);
    expect(single.map(([queue]) => queue)).toEqual(['dataset_refreshes']);
    expect(selectors).toHaveLength(3);
    expect(selectors.filter((labels) => !labels.includes('queue!="dataset_refreshes"'))).toEqual([]);
  });

  test('notice a late job of every queue except syncs, where a request waits for the end of the sync before', async () => {
    const { expr } = rules.find(({ alert }) => alert === 'VitrineJobsLate') as Rule;
    const [, name = '', excluded] = /\((\w+)\{queue!="(\w+)"\}\)/.exec(expr) ?? [];
    expect(excluded).toBe('catalogue_sync');
    await until(async () => (await watched.valueOf(name)) !== undefined);
    const samples = (await watched.scrape()).filter((sample) => sample.name === name);
    expect(samples.map(({ labels }) => labels.queue)).toEqual(expect.arrayContaining(Object.keys(queues)));
  });

  test('notice that no sync has ever succeeded', async () => {
    const { database } = watched.service;
    await database.query('DELETE FROM sync_runs');
    await database.query(
      `INSERT INTO sync_runs (id, status, trigger, queued_at, finished_at)
       VALUES (gen_random_uuid(), 'failed', 'schedule', now(), now())`,
    );
    await until(async () => (await watched.valueOf('vitrine_sync_last_result', { result: 'failed' })) === 1);
    expect(await watched.valueOf('vitrine_sync_age_seconds')).toBeUndefined();
    const { expr } = rules.find(({ alert }) => alert === 'VitrineSyncOld') as Rule;
    expect(expr).toContain(
      'or (max(vitrine_sync_last_result{result="failed"}) == 1 unless max(vitrine_sync_age_seconds))',
    );
  });

  test('notice that Entra refuses the credential, and Power BI all embed tokens', async () => {
    const { expr } = rules.find(({ alert }) => alert === 'VitrinePowerBiRefuses') as Rule;
    const [, name = '', asked = ''] =
      /increase\((\w+)\{outcome="refused",operation=~"([\w|]+)"\}/.exec(expr) ?? [];
    const operations = asked.split('|');
    const isRefusal = ({ name: of, labels }: Sample) =>
      of === name && labels.outcome === 'refused' && operations.includes(labels.operation ?? '');
    expect(
      samplesOf(text)
        .filter(isRefusal)
        .map(({ value }) => value),
    ).toEqual([0, 0]);
    const { service } = watched;
    const faults = '/__emulator/faults';
    await service.powerBi.post(faults, { path: '/oauth2/', status: 401 });
    await service.sync();
    await service.powerBi.delete(faults);
    await service.sync();
    await service.powerBi.post(faults, { path: 'GenerateToken', status: 403 });
    const admin = await service.asAdmin();
    const [report] = (await admin.get<{ reports: { id: string }[] }>('/api/reports')).body.reports;
    expect(await admin.post(`/api/reports/${report?.id}/embed-token`)).toMatchObject({
      status: 409,
      body: { code: 'power_bi_access_denied' },
    });
    await service.powerBi.delete(faults);
    const refused = (await watched.scrape()).filter((each) => isRefusal(each) && each.value > 0);
    expect(new Set(refused.map(({ labels }) => labels.operation))).toEqual(new Set(operations));
  });

  test.each(rules)('$alert has a severity and a runbook', ({ for: time, labels, annotations, expr }) => {
    expect(time).toMatch(/^\d+[mh]$/);
    expect(['warning', 'critical']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    const [path, anchor = ''] = annotations.runbook.split('#');
    const document = documents.find((each) => each.path === path);
    expect(document?.anchors).toContain(anchor);
    for (const [open, close] of ['()', '[]', '{}'].map((pair) => [...pair])) {
      expect(expr.split(open as string).length).toBe(expr.split(close as string).length);
    }
  });

  test('names and positions are unique', () => {
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });
});
