import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';

/** Settings of a local start. */
export interface Settings {
  port: number;
  host: string;
  dataDir: string;
  /** Undefined selects the port of the previous start, or a free one. */
  emulatorPort?: number;
  adminEmail?: string;
  adminPassword?: string;
  /** Whether a new data folder gets generated usage. */
  demoData: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

function readPort(variables: Variables, name: string): number | undefined {
  const text = variables[name]?.trim();
  if (!text) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`${name} must be a port, a number from 0 to 65535, not "${text}"`);
}

function readSwitch(variables: Variables, name: string): boolean {
  const text = variables[name]?.trim() || 'true';
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error(`${name} must be true or false, not "${text}"`);
}

export function readSettings(variables: Variables): Settings {
  if (variables.NODE_ENV === 'production') {
    throw new Error(
      '"npm start" runs Vitrine locally with its own database, mailbox and Power BI emulator. ' +
        'With NODE_ENV=production use "npm run start:prod", which requires DATABASE_URL and the settings in deploy/vitrine.env.example.',
    );
  }
  return {
    port: readPort(variables, 'PORT') ?? 3000,
    host: variables.HOST?.trim() || '127.0.0.1',
    dataDir: resolve(variables.DATA_DIR?.trim() || '.data'),
    emulatorPort: readPort(variables, 'EMULATOR_PORT'),
    adminEmail: variables.ADMIN_EMAIL?.trim() || undefined,
    adminPassword: variables.ADMIN_PASSWORD || undefined,
    // Its users sign in through the portal, and the rules of the demo give them access.
    demoData:
      readSwitch(variables, 'DEMO_DATA') &&
      variables.PORTAL_ENABLED !== 'false' &&
      !variables.OIDC_RULES?.trim() &&
      !variables.OIDC_RULES_FILE?.trim(),
  };
}

const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Where a service that listens on this host and port is reached from this computer. */
export function urlOf(host: string, port: number): string {
  const reached = loopback[host] ?? host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}
