import { demoTenant } from './demo-tenant.js';
import { startEmulator } from './server.js';

const { EMULATOR_PORT, EMULATOR_HOST, EMULATOR_ALLOWED_HOSTS, EMULATOR_PUBLIC_URL } = process.env;

const emulator = await startEmulator({
  port: Number(EMULATOR_PORT ?? 0),
  ...(EMULATOR_HOST && { host: EMULATOR_HOST }),
  ...(EMULATOR_ALLOWED_HOSTS && { allowedHosts: EMULATOR_ALLOWED_HOSTS.split(',') }),
  ...(EMULATOR_PUBLIC_URL && { publicUrl: EMULATOR_PUBLIC_URL }),
});

console.log(`Power BI emulator: ${emulator.url}`);
console.log(`  Entra   ${emulator.url}/${demoTenant.tenantId}/oauth2/v2.0/token`);
console.log(`  REST    ${emulator.url}/v1.0/myorg`);
console.log(`  control ${emulator.url}/__emulator`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void emulator.close());
}
