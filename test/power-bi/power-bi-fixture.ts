import { demoTenant } from '../../emulator/demo-tenant.js';
import { startEmulator } from '../../emulator/server.js';
import type { PowerBiConfig } from '../../src/config/power-bi.config.js';
import { PowerBi } from '../../src/power-bi/power-bi.service.js';

export const configOf = (url: string, overrides: Partial<PowerBiConfig> = {}): PowerBiConfig => ({
  apiUrl: url,
  authorityUrl: url,
  scope: 'https://analysis.windows.net/powerbi/api/.default',
  embedHosts: ['app.powerbi.com', '127.0.0.1'],
  tenantId: demoTenant.tenantId,
  clientId: demoTenant.clientId,
  credential: { kind: 'secret', secret: demoTenant.clientSecret },
  minimumTokenMinutes: 30,
  ...overrides,
});

/** The client under test, and the emulator that it talks to. */
export async function powerBiFixture(overrides: Partial<PowerBiConfig> = {}) {
  const emulator = await startEmulator();
  const powerBi = new PowerBi(configOf(emulator.url, overrides));
  const close = async () => {
    await powerBi.onModuleDestroy();
    await emulator.close();
  };
  return { emulator, powerBi, close };
}
