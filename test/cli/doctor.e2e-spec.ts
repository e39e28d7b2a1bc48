import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoClient, startIdentityProvider } from '../../local/identity-provider.js';
import { credential } from '../../src/cli/doctor/examine.js';
import { Config } from '../../src/core/config/config.js';
import { Workspace } from '../../src/workspaces/workspace.entity.js';
import { vitrineJson, vitrineProcess } from '../support/cli.js';
import { password } from '../support/factory.js';
import { startInProcessReplica } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { portal } from '../support/sign-in.js';
import { startUnresponsiveRedis } from '../support/unresponsive-redis.js';

interface Report {
  ok: boolean;
  findings: { check: string; status: string; detail: string; advice?: string }[];
}
interface Run {
  status: string;
  reports_seen: number;
}

let service: Service;
const doctor = (variables: Record<string, string> = {}) =>
  vitrineJson<Report>({ ...service.environment, ...variables }, 'doctor');
const of = ({ findings }: Report, check: string) => findings.filter((finding) => finding.check === check);

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('vitrine sync and doctor', () => {
  test('doctor: before the first sync it reports that there is none', async () => {
    const { code, body } = await doctor();
    expect([code, of(body, 'rls')]).toEqual([
      0,
      [expect.objectContaining({ advice: 'Run `node bin/vitrine.js sync`.' })],
    ]);
  });

  test('sync: waits, and prints the result', async () => {
    const { code, body } = await vitrineJson<Run>(service.environment, 'sync');
    expect([code, body]).toEqual([0, expect.objectContaining({ status: 'succeeded' })]);
    expect(body.reports_seen).toBeGreaterThan(10);
    const { stdout, stderr } = await vitrineProcess(service.environment, ['sync']);
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^Sync succeeded: \d+ workspaces/), '']);
  });

  test('sync: running it before any user exists does not prevent the creation of the first admin', async () => {
    const admin = { email: 'first@example.org', password };
    const variables = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
    const environment = { ...service.environment, ...variables };
    const replica = await startInProcessReplica({ ...service, environment });
    await replica.close();
    expect((await service.api.post('/api/auth/token', admin)).status).toBe(200);
  });

  test('doctor: names the workspace that cannot be embedded and the datasets without a policy', async () => {
    const { code, body } = await doctor();
    expect([code, body.ok]).toEqual([1, false]);
    for (const check of ['keys', 'smtp', 'database', 'migrations', 'entra', 'power_bi']) {
      expect(of(body, check)).toEqual([expect.objectContaining({ status: 'ok' })]);
    }
    const rights = of(body, 'workspace_rights').map(({ detail }) => detail);
    expect(rights).toEqual([expect.stringContaining('Partner')]);
    const rls = of(body, 'rls').filter(({ status }) => status === 'failed');
    expect(rls.map(({ detail }) => /"(.*)"/.exec(detail)?.[1] ?? '').toSorted()).toEqual([
      'Sales by region',
      'Sales by representative',
    ]);
    expect(rls.every(({ advice }) => advice?.includes('identity-policy'))).toBe(true);
  });

  test('CFG-10 doctor: names the workspaces that the service principal can access without need', async () => {
    expect(of((await doctor()).body, 'reach')).toEqual([expect.objectContaining({ status: 'ok' })]);
    const workspaces = await service.database.getRepository(Workspace).find({ order: { name: 'ASC' } });
    const [needed, past, ...others] = workspaces as [Workspace, Workspace, ...Workspace[]];
    const ada = await service.factory.user();
    await service.factory.grant(ada, needed);
    await service.factory.grant(ada, past, 'viewer', new Date(Date.now() - 60_000));
    const [finding] = of((await doctor()).body, 'reach');
    expect(finding).toMatchObject({
      status: 'warning',
      advice: expect.stringContaining('service principal'),
    });
    expect(finding?.detail).toContain(
      `${workspaces.length - 1} of ${workspaces.length} workspace(s) have no grant`,
    );
    expect(finding?.detail).not.toContain(`"${needed.name}"`);
    for (const workspace of [past, ...others]) await service.factory.grant(ada, workspace);
    expect(of((await doctor()).body, 'reach')).toEqual([expect.objectContaining({ status: 'ok' })]);
  });

  test('CFG-10 doctor: recommends a certificate instead of a client secret', async () => {
    expect(of((await doctor()).body, 'credential')).toEqual([expect.objectContaining({ status: 'ok' })]);
    const { powerBi } = Config.load({ ...service.environment, POWERBI_AUTHORITY_URL: '' });
    expect(credential(powerBi)).toMatchObject({
      status: 'warning',
      advice: expect.stringContaining('POWERBI_CERTIFICATE_FILE'),
    });
    for (const better of [{ kind: 'certificate', pem: '' }, { kind: 'managed_identity' }] as const) {
      expect(credential({ ...powerBi, credential: better }).status).toBe('ok');
    }
  });

  test('doctor: changes nothing', async () => {
    const count = () => service.database.query('SELECT count(*) FROM audit_events');
    const before = await count();
    await doctor();
    expect(await count()).toEqual(before);
  });

  test('doctor: a wrong client secret is reported for Entra', async () => {
    const { code, body } = await doctor({ POWERBI_CLIENT_SECRET: 'wrong' });
    expect([code, of(body, 'entra')]).toEqual([1, [expect.objectContaining({ status: 'failed' })]]);
    expect(of(body, 'power_bi')).toEqual([]);
  });

  test('doctor: an unreachable SMTP server and no SMTP server are reported', async () => {
    const { body: gone } = await doctor({ SMTP_URL: 'smtp://127.0.0.1:9' });
    expect(of(gone, 'smtp')).toEqual([expect.objectContaining({ status: 'failed' })]);
    const { body: none } = await doctor({ SMTP_URL: '' });
    expect(of(none, 'smtp')).toEqual([expect.objectContaining({ status: 'warning' })]);
  });

  test('doctor: a Redis that is unreachable, refuses the password or does not respond is reported', async () => {
    expect(of((await doctor()).body, 'redis')).toEqual([]);
    const { body: gone } = await doctor({ REDIS_URL: 'redis://127.0.0.1:9' });
    expect(of(gone, 'redis')).toMatchObject([
      { status: 'warning', detail: expect.stringContaining('ECONNREFUSED') },
    ]);
    const redis = await startUnresponsiveRedis();
    const { body: silent } = await doctor({ REDIS_URL: redis.url });
    expect(of(silent, 'redis')).toMatchObject([
      { status: 'warning', detail: expect.stringContaining('timed out') },
    ]);
    redis.refusal = '-WRONGPASS invalid username-password pair or user is disabled.';
    const { body: refused } = await doctor({ REDIS_URL: redis.url });
    redis.close();
    expect(of(refused, 'redis')).toMatchObject([
      {
        status: 'warning',
        detail: expect.stringContaining('WRONGPASS'),
        advice: expect.stringContaining('REDIS_URL'),
      },
    ]);
  });

  test('doctor: an identity provider that is unreachable, or has another issuer, is reported', async () => {
    expect(of((await doctor()).body, 'identity_provider')).toEqual([]);
    const provider = await startIdentityProvider({ publicUrl: service.url, people: [] });
    const check = async (OIDC_ISSUER: string) => {
      const { clientId, clientSecret } = demoClient;
      const client = { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
      return of(
        (await doctor({ ...client, OIDC_ISSUER, OIDC_RETURN_URLS: portal })).body,
        'identity_provider',
      );
    };
    expect(await check(provider.issuer)).toMatchObject([{ status: 'ok' }]);
    const advice = expect.stringContaining('OIDC_ISSUER');
    expect(await check(`${provider.issuer}/other`)).toMatchObject([{ status: 'failed', advice }]);
    await provider.close();
    expect(await check(provider.issuer)).toMatchObject([
      { status: 'failed', detail: expect.stringContaining('ECONNREFUSED'), advice },
    ]);
  });

  test('doctor: an unreachable database is reported with advice', async () => {
    const environment = { ...service.environment, DATABASE_URL: 'postgresql://x@127.0.0.1:9/x' };
    const { code, stdout } = await vitrineProcess(environment, ['doctor']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('FAILED  database')]);
    expect(stdout).toContain('→ Check DATABASE_URL');
  });
});
