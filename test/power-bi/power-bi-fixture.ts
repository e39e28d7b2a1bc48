import { Logger } from '@nestjs/common';
import { demoTenant, startEmulator } from '@vitrine/power-bi-emulator';
import type { PowerBiConfig } from '../../src/core/config/power-bi.config.js';
import { defaultLimits, type UpstreamLimits } from '../../src/power-bi/limits.js';
import { PowerBiService } from '../../src/power-bi/power-bi.service.js';
import type { UpstreamParts } from '../../src/power-bi/upstream-calls.js';

export const sales = 'a0000001-0000-4000-8000-000000000000';
export const revenue = {
  reports: ['b0000001-0000-4000-8000-000000000001'],
  datasets: ['c0000001-0000-4000-8000-000000000001'],
  isPaginated: false,
  allowEdit: false,
  identities: [],
  lifetimeMinutes: 60,
};

export const configOf = (url: string, overrides: Partial<PowerBiConfig> = {}): PowerBiConfig => ({
  apiUrl: url,
  authorityUrl: url,
  scope: 'https://analysis.windows.net/powerbi/api/.default',
  embedHosts: ['app.powerbi.com', '127.0.0.1'],
  tenantId: demoTenant.tenantId,
  clientId: demoTenant.clientId,
  credential: { kind: 'secret', secret: demoTenant.clientSecret },
  minimumTokenMinutes: 30,
  maximumTokenMinutes: 60,
  sharesTokens: false,
  auditableContext: 'off',
  profiles: [],
  ...overrides,
});

interface Options {
  config?: Partial<PowerBiConfig>;
  parts?: Partial<UpstreamParts>;
  limits?: Partial<UpstreamLimits>;
}

interface Call {
  method: string;
  path: string;
  status?: number;
}

export type PowerBiFixture = Awaited<ReturnType<typeof powerBiFixture>>;

/** Retries immediately, without jitter. */
const withoutWaiting = { sleep: async () => undefined, random: () => 0 };

/** The client under test, its emulator, and the emulator's controls. */
export async function powerBiFixture({ config, parts, limits }: Options = {}) {
  Logger.overrideLogger(false);
  const emulator = await startEmulator();
  const powerBi = new PowerBiService(configOf(emulator.url, config), {
    timing: withoutWaiting,
    ...parts,
    limits: { ...defaultLimits, ...limits },
  });

  async function control(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const url = `${emulator.url}/__emulator/${path}`;
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  }

  return {
    emulator,
    powerBi,
    fault: (fault: { path: string } & Record<string, unknown>) => control('POST', 'faults', fault),
    clearFaults: () => control('DELETE', 'faults'),
    /** Ends the calls that a fault holds. */
    release: () => control('POST', 'faults/release'),
    settings: (change: Record<string, unknown>) => control('PATCH', 'settings', change),
    advance: (seconds: number) => control('POST', 'clock', { advance_seconds: seconds }),
    content: (content: Record<string, unknown>) => control('POST', 'content', content),
    /** The calls of a path since the last reset. */
    calls: async (path: RegExp): Promise<Call[]> => {
      const { calls } = (await control('GET', 'calls')) as { calls: Call[] };
      return calls.filter((call) => path.test(call.path));
    },
    forgetCalls: () => control('DELETE', 'calls'),
    async close() {
      await powerBi.onApplicationShutdown();
      await emulator.close();
    },
  };
}

/** The error with which the work rejects. */
export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: unknown) => error,
  );
