#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { parseArgs } from 'node:util';
import { Refusal } from './core/refusal.js';
import { realNames, UnusableFolder } from './core/real-names.js';
import { demoPassword, demoTenant } from './demo-tenant.js';
import { startEmulator, type RunningEmulator } from './server.js';

const help = `Emulates Power BI and Entra ID for development and tests.

  --port <n>            port to listen on             EMULATOR_PORT           a free port
  --host <address>      address to bind               EMULATOR_HOST           127.0.0.1
  --allow-host <name>   host name to accept besides   EMULATOR_ALLOWED_HOSTS  loopback names
                        loopback names (repeatable)   (comma-separated)
  --public-url <url>    URL that browsers use         EMULATOR_PUBLIC_URL     its own address
  --tls-key <file>      PEM files; both set: https    EMULATOR_TLS_KEY_FILE   http
  --tls-cert <file>                                   EMULATOR_TLS_CERT_FILE
  --real-names          https under Microsoft's host  EMULATOR_REAL_NAMES=1
                        names, by default on 443
  --ca-folder <path>    keeps the certificate that    EMULATOR_CA_FOLDER      .power-bi-emulator
                        clients of --real-names trust
  --content <file>      seed document for the start   EMULATOR_CONTENT        the demo tenant
                        and for each reset
  --help                show this help

Usage and undocumented behavior: README.md of this package`;

/** An error that the operator can fix. */
class UsageError extends Error {}

const parsed = () =>
  parseArgs({
    options: {
      port: { type: 'string', default: process.env.EMULATOR_PORT ?? '' },
      host: { type: 'string', default: process.env.EMULATOR_HOST ?? '127.0.0.1' },
      'allow-host': { type: 'string', multiple: true, default: listed(process.env.EMULATOR_ALLOWED_HOSTS) },
      'public-url': { type: 'string', default: process.env.EMULATOR_PUBLIC_URL ?? '' },
      'tls-key': { type: 'string', default: process.env.EMULATOR_TLS_KEY_FILE ?? '' },
      'tls-cert': { type: 'string', default: process.env.EMULATOR_TLS_CERT_FILE ?? '' },
      'real-names': { type: 'boolean', default: process.env.EMULATOR_REAL_NAMES === '1' },
      'ca-folder': { type: 'string', default: process.env.EMULATOR_CA_FOLDER ?? '.power-bi-emulator' },
      content: { type: 'string', default: process.env.EMULATOR_CONTENT ?? '' },
      help: { type: 'boolean', default: false },
    },
  });

try {
  const { values } = parsed();
  if (values.help) console.log(help);
  else await run(values);
} catch (error) {
  fail(error);
}

async function run(values: ReturnType<typeof parsed>['values']): Promise<void> {
  const port = Number(values.port || (values['real-names'] ? 443 : 0));
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port must be a number from 0 to 65535, not ${values.port}`);
  if (Boolean(values['tls-key']) !== Boolean(values['tls-cert']))
    throw new UsageError('--tls-key and --tls-cert must be set together');
  try {
    const emulator = await startEmulator({
      port,
      host: values.host,
      allowedHosts: values['allow-host'],
      ...(values['public-url'] && { publicUrl: values['public-url'] }),
      ...(values['tls-key'] && { tls: tlsFiles(values['tls-key'], values['tls-cert']) }),
      ...(values['real-names'] && { realNames: { caFolder: values['ca-folder'] } }),
      ...(values.content && { content: json(values.content) }),
    });
    announce(emulator);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void emulator.close());
  } catch (error) {
    throw new UsageError(reasonOf(error, { ...values, port }), { cause: error });
  }
}

/** Only a defect of the program has a stack trace. */
function fail(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS');
  console.error(isUsage ? (error as Error).message.split('\n')[0] : error);
  process.exitCode = 1;
}

function announce({ url, caFile }: RunningEmulator): void {
  console.log(`Power BI emulator: ${url}
  Entra          ${url}/${demoTenant.tenantId}/oauth2/v2.0/token
  REST           ${url}/v1.0/myorg
  control        ${url}/__emulator
  tenant id      ${demoTenant.tenantId}
  client id      ${demoTenant.clientId}
  client secret  ${demoTenant.clientSecret}
  password       ${demoPassword} (of every user, e.g. dana@vitrine.example)`);
  if (!caFile) return;
  console.log(`
Microsoft's names, for /etc/hosts or the equivalent of a container:
${realNames.map((name) => `127.0.0.1 ${name}`).join('\n')}

Trust its certificate authority:
export NODE_EXTRA_CA_CERTS=${caFile}
export REQUESTS_CA_BUNDLE=${caFile}`);
}

interface Given {
  content: string;
  host: string;
  port: number;
}

/** Message for an error of the start. Throws the error again if it is a defect of the program. */
function reasonOf(error: unknown, { content, host, port }: Given): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof Refusal) return `${content}: ${error.message}`;
  if (error instanceof UnusableFolder)
    return `${error.message}. Set EMULATOR_CA_FOLDER or --ca-folder to another folder.`;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Set EMULATOR_PORT or --port to another port (0: any free port).`;
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return `Port ${port} needs more rights. Set EMULATOR_PORT or --port to a port above 1023, or run as root.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `The address ${host} is not available on this host. Set EMULATOR_HOST or --host to a local address.`;
  }
  throw error;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function json(file: string): unknown {
  try {
    return JSON.parse(read(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file}: ${(error as Error).message.split('\n')[0]}`);
  }
}

function tlsFiles(keyFile: string, certFile: string): { key: string; cert: string } {
  const files = { key: read(keyFile), cert: read(certFile) };
  try {
    createSecureContext(files);
  } catch {
    throw new UsageError(`${keyFile} and ${certFile} are not a PEM key and its certificate`);
  }
  return files;
}

function listed(value: string | undefined): string[] {
  return value ? value.split(',').map((each) => each.trim()) : [];
}
