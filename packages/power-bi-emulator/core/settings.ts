import { guessChoices, isGuess, type GuessChoices } from './guesses.js';
import { Refusal } from './refusal.js';

export interface Settings {
  entra_token_seconds: number;
  latency_ms: number;
  /** Calls a minute per principal; null: not throttled. */
  throttle_per_minute: number | null;
  /** Calls that a principal has before those are counted. */
  throttle_burst: number;
  /** Embed tokens that shared capacity gives out before it refuses; null: no limit. */
  shared_capacity_quota: number | null;
  /** How long a new grant or workspace stays invisible to whom it was given. */
  propagation_seconds: number;
  /** "Service principals can use Power BI APIs" in the tenant's admin portal. */
  tenant_switch: boolean;
  /** "Service principals can access read-only admin APIs". */
  admin_switch: boolean;
  /** Microsoft's published limits of single operations, e.g. `/admin/groups` 50 an hour. */
  documented_limits: boolean;
  /** How long exports, refreshes and scans take. */
  job_seconds: number;
  /** Whether they fail in the end. */
  jobs_fail: boolean;
  /** Tokens of a managed identity live far longer than an app's. */
  managed_identity_token_seconds: number;
  /** Where `embedUrl` points, e.g. `https://app.powerbi.com`; null: the emulator itself. */
  embed_url_base: string | null;
  guesses: GuessChoices;
}

export function defaultSettings(): Settings {
  return {
    entra_token_seconds: 3600,
    latency_ms: 0,
    throttle_per_minute: null,
    throttle_burst: 0,
    shared_capacity_quota: null,
    propagation_seconds: 0,
    tenant_switch: true,
    admin_switch: true,
    documented_limits: false,
    job_seconds: 2,
    jobs_fail: false,
    managed_identity_token_seconds: 86_400,
    embed_url_base: null,
    guesses: guessChoices(),
  };
}

const rules: Record<keyof Settings, (value: unknown) => boolean> = {
  entra_token_seconds: isLifetime,
  latency_ms: isCount,
  throttle_per_minute: (value) => value === null || isCount(value),
  throttle_burst: isCount,
  shared_capacity_quota: (value) => value === null || isCount(value),
  propagation_seconds: isCount,
  tenant_switch: isFlag,
  admin_switch: isFlag,
  documented_limits: isFlag,
  job_seconds: isCount,
  jobs_fail: isFlag,
  managed_identity_token_seconds: isLifetime,
  embed_url_base: (value) => value === null || (typeof value === 'string' && URL.canParse(value)),
  guesses: (value) => typeof value === 'object' && value !== null && Object.entries(value).every(isGuess),
};

/** The settings with a change applied, or a refusal that names what is wrong with it. */
export function changed(settings: Settings, change: unknown): Settings {
  if (typeof change !== 'object' || change === null) throw new Refusal('settings must be an object');
  for (const [name, value] of Object.entries(change)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof Settings] : undefined;
    if (!rule) throw new Refusal(`no such setting: ${name}; there are ${Object.keys(rules).join(', ')}`);
    if (!rule(value)) throw new Refusal(`not a value of ${name}: ${JSON.stringify(value)}`);
  }
  const { guesses, ...rest } = change as Partial<Settings>;
  return { ...settings, ...rest, guesses: { ...settings.guesses, ...guesses } };
}

function isLifetime(value: unknown): boolean {
  return isCount(value) && value > 0;
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}
