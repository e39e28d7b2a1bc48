import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Refusal } from './core/refusal.js';
import { demoTenant } from './demo-tenant.js';
import { startEmulator, type RunningEmulator } from './server.js';

const help = `A stand-in for Power BI and Entra ID, for development and tests.

  --port <n>            where it listens              EMULATOR_PORT           a free port
  --host <address>      which address it binds        EMULATOR_HOST           127.0.0.1
  --allow-host <name>   a name it answers to beside   EMULATOR_ALLOWED_HOSTS  loopback names
                        the loopback ones (repeat it)  (comma-separated)
  --public-url <url>    where browsers reach it       EMULATOR_PUBLIC_URL     where it listens
  --tls-key <file>      with both: speaks https       EMULATOR_TLS_KEY_FILE   http
  --tls-cert <file>     PEM files                     EMULATOR_TLS_CERT_FILE
  --content <file>      a seed document to start      EMULATOR_CONTENT        the demo tenant
                        with and to return to on reset
  --help                this text

How to use it, and what of it is a guess: packages/power-bi-emulator/README.md`;

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
    return `Port ${values.port} is taken. Set EMULATOR_PORT or --port to another one (0: a free one).`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `This machine does not have the address ${values.host}. Set EMULATOR_HOST or --host to one of its own.`;
  }
  return undefined;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

function listed(value: string | undefined): string[] {
  return value ? value.split(',').map((each) => each.trim()) : [];
}
