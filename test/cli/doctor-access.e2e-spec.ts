import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { vitrine, vitrineJson } from '../support/cli.js';
import { type Service, startService } from '../support/service.js';

interface Report {
  findings: { check: string; status: string; detail: string; advice?: string }[];
}

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const findingsOf = async (check: string, variables: Record<string, string> = {}) =>
  (await vitrineJson<Report>({ ...service.environment, ...variables }, 'doctor')).body.findings.filter(
    (finding) => finding.check === check,
  );

test('doctor: groups that do not contain the groups in them fail until `groups repair`', async () => {
  expect(await findingsOf('groups')).toMatchObject([{ status: 'ok' }]);
  const team = await service.factory.group({ name: 'Team' });
  await service.database.query('DELETE FROM group_closure WHERE outer_id = $1', [team.id]);
  expect(await findingsOf('groups')).toMatchObject([
    {
      status: 'failed',
      detail: expect.stringMatching(/^1 of 1 /),
      advice: expect.stringContaining('repair'),
    },
  ]);
  const { stdout } = await vitrine(service.environment, ['groups', 'repair']);
  expect(stdout).toBe('1 group(s) are checked: 1 contained group(s) added, 0 removed.\n');
  expect(await findingsOf('groups')).toMatchObject([{ status: 'ok' }]);
});

test('doctor: groups with grants and without people are named', async () => {
  const { factory } = service;
  expect(await findingsOf('empty_groups')).toMatchObject([{ status: 'ok' }]);
  const [empty, full] = [
    await factory.group({ name: 'Empty' }),
    await factory.group({ name: 'Full' }, [await factory.user()]),
  ];
  await factory.group({ name: 'Without a grant' });
  const report = await factory.report(await factory.workspace());
  const admin = await service.asAdmin();
  for (const { id } of [empty, full])
    await admin.put(`/api/reports/${report.id}/grants/groups/${id}`, { role: 'viewer' });
  expect(await findingsOf('empty_groups')).toMatchObject([
    { status: 'warning', detail: '1 group(s) with grants have no people: "Empty".' },
  ]);
});

test('doctor: active service accounts whose last secret expires within 30 days, or that have none', async () => {
  const check = 'service_account_secrets';
  const admin = await service.asAdmin();
  const create = async (name: string, expires_in_days?: number) =>
    (
      await admin.post<{ id: string; secrets: { id: string }[] }>('/api/service-accounts', {
        name,
        expires_in_days,
      })
    ).body;
  const nightly = await create('Nightly', 20);
  await admin.patch(`/api/service-accounts/${(await create('Disabled', 20)).id}`, { status: 'disabled' });
  const rotated = await create('Rotated', 20);
  await admin.post(`/api/service-accounts/${rotated.id}/secrets`, {});
  const date = service.clock
    .in(20 * 86_400)
    .toISOString()
    .slice(0, 10);
  const warned = (count: number, accounts: string) => ({
    status: 'warning',
    detail: `${count} service account(s) without a secret after 30 days: ${accounts}.`,
    advice: expect.stringContaining('service-accounts rotate'),
  });
  expect(await findingsOf(check)).toMatchObject([warned(1, `"Nightly" (expires on ${date})`)]);
  const revoked = await create('Revoked');
  await admin.delete(`/api/service-accounts/${revoked.id}/secrets/${revoked.secrets[0]?.id}`);
  expect(await findingsOf(check)).toMatchObject([
    warned(2, `"Revoked" (no valid secret), "Nightly" (expires on ${date})`),
  ]);
  await admin.post(`/api/service-accounts/${nightly.id}/secrets`, {});
  await admin.patch(`/api/service-accounts/${revoked.id}`, { status: 'disabled' });
  expect(await findingsOf(check)).toMatchObject([{ status: 'ok' }]);
});

test('doctor: names in sign-in rules that match nothing, or several workspaces', async () => {
  const { factory } = service;
  const sales = await factory.workspace({ name: 'Sales' });
  await factory.report(sales, { name: 'Revenue' });
  for (let count = 0; count < 2; count += 1) await factory.workspace({ name: 'Twin' });
  await factory.group({ name: 'Field force' });
  const grant = (target: object) => ({ ...target, role: 'viewer' });
  const withRules = (more: object) => ({
    OIDC_ISSUER: 'https://idp.example',
    OIDC_CLIENT_ID: 'vitrine',
    OIDC_CLIENT_SECRET: 'b6yTq4Lw9pXs2Zr7',
    OIDC_RULES: JSON.stringify({ rules: [{ name: 'Sales', when: { groups: ['sales'] }, ...more }] }),
  });
  const valid = [grant({ workspace: 'Sales' }), grant({ workspace: sales.id, report: 'Revenue' })];
  expect(await findingsOf('rules')).toEqual([]);
  expect(await findingsOf('rules', withRules({ grants: valid, member_of: ['FIELD force'] }))).toMatchObject([
    { status: 'ok' },
  ]);
  const invalid = [
    grant({ workspace: 'Twin' }),
    grant({ workspace: 'Sales', report: 'Gone' }),
    grant({ workspace: 'Nowhere', report: 'Revenue' }),
  ];
  const [finding] = await findingsOf(
    'rules',
    withRules({ grants: [...valid, ...invalid], member_of: ['None'] }),
  );
  expect(finding).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('4 name(s)'),
    advice: expect.stringContaining('OIDC_RULES_FILE'),
  });
  for (const name of ['"Twin"', '"Sales / Gone"', '"Nowhere"', '"None"'])
    expect(finding?.detail).toContain(name);
});
