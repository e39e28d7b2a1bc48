import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Refusal } from './core/refusal.js';
import { demoTenant } from './demo-tenant.js';
import { startEmulator, type RunningEmulator } from './server.js';

const help = `Emulates Power BI and Entra ID for development and tests.

  --port <n>            port to listen on             EMULATOR_PORT           a free port
  --host <address>      address to bind               EMULATOR_HOST           127.0.0.1
  --allow-host <name>   host name to accept besides   EMULATOR_ALLOWED_HOSTS  loopback names
                        loopback names (repeatable)   (comma-separated)
  --public-url <url>    URL that browsers use         EMULATOR_PUBLIC_URL     its own address
  --tls-key <file>      PEM files; both set: https    EMULATOR_TLS_KEY_FILE   http
  --tls-cert <file>                                   EMULATOR_TLS_CERT_FILE
  --content <file>      seed document for the start   EMULATOR_CONTENT        the demo tenant
                        and for each reset
  --help                show this help

Usage and undocumented behavior: packages/power-bi-emulator/README.md`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env.EMULATOR_PORT ?? '0' },
    host: { type: 'string', default: process.env.EMULATOR_HOST ?? '127.0.0.1' },
    'allow-host': { type: 'string', multiple: true, default: listed(process.env.EMULATOR_ALLOWED_HOSTS) },
    'public-url': { type: 'string', default: process.env.EMULATOR_PUBLIC_URL ?? '' },
    'tls-key': { type: 'string', default: process.env.EMULATOR_TLS_KEY_FILE ?? '' },
    'tls-cert': { type: 'string', default: process.env.EMULATOR_TLS_CERT_FILE ?? '' },
    content: { type: 'string', default: process.env.EMULATOR_CONTENT ?? '' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(help);
else await run();

async function run(): Promise<void> {
  try {
    const emulator = await startEmulator({
      port: Number(values.port),
      host: values.host,
      allowedHosts: values['allow-host'],
      ...(values['public-url'] && { publicUrl: values['public-url'] }),
      ...(values['tls-key'] &&
        values['tls-cert'] && { tls: { key: read(values['tls-key']), cert: read(values['tls-cert']) } }),
      ...(values.content && { content: JSON.parse(read(values.content)) }),
    });
    announce(emulator);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void emulator.close());
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    console.error(reason);
    process.exitCode = 1;
  }
}

function announce({ url }: RunningEmulator): void {
  console.log(`Power BI emulator: ${url}
  Entra          ${url}/${demoTenant.tenantId}/oauth2/v2.0/token
  REST           ${url}/v1.0/myorg
  control        ${url}/__emulator
  tenant id      ${demoTenant.tenantId}
  client id      ${demoTenant.clientId}
  client secret  ${demoTenant.clientSecret}`);
}

/** Message for an error that the operator can fix; undefined for a defect of the program. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof Refusal) return `${values.content}: ${error.message}`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `Port ${values.port} is in use. Set EMULATOR_PORT or --port to another port (0: any free port).`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `The address ${values.host} is not available on this host. Set EMULATOR_HOST or --host to a local address.`;
  }
  return undefined;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

function listed(value: string | undefined): string[] {
  return value ? value.split(',').map((each) => each.trim()) : [];
}
