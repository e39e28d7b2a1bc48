import { afterEach, describe, expect, test } from '@jest/globals';
import { demoPrincipalAs } from '@vitrine/power-bi-emulator';
import { vitrineJson } from '../support/cli.js';
import { type Service, startService } from '../support/service.js';
import { setContent, syncOnce } from '../support/syncing.js';

interface Report {
  findings: { check: string; status: string; detail: string }[];
}

const profile = 'f0000001-0000-4000-8000-000000000001';
const removed = 'f0000001-0000-4000-8000-000000000002';
const deputy = demoPrincipalAs('Admin');
const profiles = [{ id: profile, displayName: 'North', servicePrincipalId: deputy.identifier }];
const northern = {
  name: 'Finance',
  reports: [{ name: 'Cash flow' }],
  members: [{ ...deputy, profile: { id: profile, displayName: 'North' } }],
};

let service: Service;
afterEach(() => service.close());

describe.each(['all', profile, `${profile},${removed}`])('POWERBI_PROFILES=%s', (POWERBI_PROFILES) => {
  test('doctor: checks the workspaces in which only a profile has a role', async () => {
    service = await startService({ POWERBI_PROFILES });
    await setContent(service, { profiles, workspaces: [northern] });
    await syncOnce(await service.asAdmin());
    const { body } = await vitrineJson<Report>(service.environment, 'doctor');
    const of = (name: string) => body.findings.filter(({ check }) => check === name);
    const missing = { status: 'failed', detail: expect.stringContaining(removed) };
    expect(of('power_bi')).toMatchObject([
      { status: 'ok', detail: expect.stringContaining('1 workspace(s)') },
      ...(POWERBI_PROFILES.includes(removed) ? [missing] : []),
    ]);
    expect(of('reach')).toMatchObject([{ status: 'ok' }]);
    expect(of('workspace_rights')).toMatchObject([
      { status: 'ok', detail: expect.stringContaining('1 of 1') },
    ]);
  });
});
