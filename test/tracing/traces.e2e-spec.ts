import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { type ReplicaProcess, type ReplicaProcesses, startReplicaProcesses } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';
import { attributesOf, type Collector, type Span, startCollector } from './collector.js';

// Takes the spans of one request for those of its trace.
Client.warms = false;

let service: Service;
let collector: Collector;
let admin: Client;
let reportId: string;

const theirs = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

beforeAll(async () => {
  collector = await startCollector();
  service = await startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=reports%20and%20more',
    OTEL_SERVICE_NAME: 'vitrine-test',
  });
  admin = await service.asAdmin();
  await service.sync();
  const { body } = await admin.get<{ reports: { id: string }[] }>('/api/reports');
  reportId = body.reports[0]?.id as string;
});
afterAll(async () => {
  await service.close();
  await collector.close();
});

const ofTrace = (traceId: string): Span[] => collector.spans.filter((span) => span.traceId === traceId);
const ended = (traceId: string, name: RegExp) =>
  until(() => ofTrace(traceId).find((span) => name.test(span.name)));

test('a trace continues from the caller to SQL and Power BI', async () => {
  const { traceId, spanId } = theirs;
  const answer = await admin.post(`/api/reports/${reportId}/embed-token`, undefined, {
    traceparent: `00-${traceId}-${spanId}-01`,
    'x-request-id': 'seen-everywhere',
  });
  expect(answer.status).toBe(200);
  const server = await ended(traceId, /^POST \/api\/reports\/:id\/embed-token$/);
  expect(server).toMatchObject({ parentSpanId: spanId, kind: 2 });
  expect(attributesOf(server)).toMatchObject({
    'http.route': '/api/reports/:id/embed-token',
    'http.response.status_code': 200,
    'vitrine.request_id': 'seen-everywhere',
  });
  const upstream = await ended(traceId, /^POST power_bi$/);
  expect([upstream.kind, upstream.parentSpanId]).toEqual([3, server.spanId]);
  expect(attributesOf(upstream)['url.path']).toContain('GenerateToken');
  // The token is recorded by a statement that begins with WITH.
  const statements = ofTrace(traceId).filter((span) => /^(SELECT|WITH)$/.test(span.name));
  expect(statements.map((span) => span.name)).toEqual(expect.arrayContaining(['SELECT', 'WITH']));
  for (const span of statements) {
    expect(span.parentSpanId).toBe(server.spanId);
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
  }
  expect(attributesOf(statements[0] as Span)['db.query.text']).toContain('$1');
  expect(collector.headers.at(-1)).toMatchObject({ 'x-team': 'reports and more' });
  expect(collector.bodies.join('')).toContain('"vitrine-test"');
});

test('a request without a trace context starts a trace, which has the failure of the request', async () => {
  await service.database.query('ALTER TABLE reports RENAME TO hidden_reports');
  const { status } = await admin.get('/api/reports?limit=7');
  await service.database.query('ALTER TABLE hidden_reports RENAME TO reports');
  expect(status).toBe(500);
  const isIt = (span: Span) => span.name === 'GET /api/reports' && span.status.code === 2;
  const server = await until(() => collector.spans.find(isIt));
  expect(server.parentSpanId ?? '').toBe('');
  const failed = ofTrace(server.traceId).find((span) => span.name === 'SELECT' && span.status.code === 2);
  expect(failed && attributesOf(failed)['error.type']).toBeDefined();
});

test('OBS-04 traces contain no secret', async () => {
  const { email } = await service.factory.user();
  const answer = await service.api.post<{ access_token: string; refresh_token: string }>('/api/auth/token', {
    email,
    password,
  });
  const { body: issued } = await admin.post<{ token: string }>(`/api/reports/${reportId}/embed-token`);
  await admin.get('/api/workspaces?q=findthis', {
    traceparent: '00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  });
  await ended('1af7651916cd43dd8448eb211c80319c', /workspaces/);
  const sent = collector.bodies.join('');
  const secrets = [password, answer.body.access_token, answer.body.refresh_token, issued.token, admin.token];
  for (const secret of [...secrets, email, 'findthis']) expect(sent).not.toContain(secret);
  expect(sent).not.toMatch(/eyJ[\w-]{8,}\.eyJ/);
});

/** Keeps the headers of what it is asked, and answers nothing of use. */
async function startListener() {
  const asked: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('OBS-09 Power BI receives the request id and the trace context', async () => {
  const listener = await startListener();
  const environment = { ...service.environment, POWERBI_API_URL: listener.url };
  const replicas: ReplicaProcesses = await startReplicaProcesses({ ...service, environment }, 1);
  const [replica]: [ReplicaProcess, ...ReplicaProcess[]] = replicas.all;
  const { token } = admin;
  const traceId = '2af7651916cd43dd8448eb211c80319c';
  await replica.api.post(`/api/reports/${reportId}/embed-token`, undefined, {
    authorization: `Bearer ${token}`,
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    'x-request-id': 'end-to-end-7',
  });
  const about = listener.asked.find((headers) => headers['x-ms-client-request-id'] === 'end-to-end-7');
  expect(about?.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  expect(about?.traceparent).not.toContain('b7ad6b7169203331');
  await replicas.close();
  listener.server.close();
});

// The redis client loads the interface of OpenTelemetry wherever it is installed; that does nothing by itself.
test('when disabled, the OpenTelemetry SDK is not loaded', () => {
  const main = join(import.meta.dirname, '../../dist/src/service.js');
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import(${JSON.stringify(main)});
    console.log(loaded.filter((url) => /opentelemetry.(sdk|exporter|otlp)/.test(url)).length, loaded.length > 300);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  expect(stdout.trim()).toBe('0 true');
});
