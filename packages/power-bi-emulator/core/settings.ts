import { guessChoices, isGuess, type GuessChoices } from './guesses.js';
import { Refusal } from './refusal.js';

export interface Settings {
  entra_token_seconds: number;
  latency_ms: number;
  /** Calls per minute and principal; null: no throttling. */
  throttle_per_minute: number | null;
  /** Calls of a principal before throttling starts. */
  throttle_burst: number;
  /** Embed tokens that shared capacity issues before it refuses; null: no limit. */
  shared_capacity_quota: number | null;
  /** Seconds until a new grant or workspace is visible to its holder. */
  propagation_seconds: number;
  /** The tenant setting "Service principals can use Power BI APIs". */
  tenant_switch: boolean;
  /** The tenant setting "Service principals can access read-only admin APIs". */
  admin_switch: boolean;
  /** Whether Microsoft's published limits of single operations apply, e.g. 50 calls an hour to `/admin/groups`. */
  documented_limits: boolean;
  /** Duration of exports, refreshes and scans. */
  job_seconds: number;
  /** Whether exports, refreshes and scans fail at the end. */
  jobs_fail: boolean;
  /** Exports that a capacity accepts at the same time before it returns 429. */
  exports_per_capacity: number;
  /** Seconds until an event is in the activity log; up to 60 minutes in Power BI. */
  activity_delay_seconds: number;
  /** Events in one response of the activity log; 5,000 to 10,000 in Power BI. */
  activity_page_size: number;
  /** The tenant setting "Service principals can access admin APIs used for updates". */
  admin_update_switch: boolean;
  /** Pages that a capacity renders at the same time; further exports wait as `NotStarted`. */
  export_pages_per_capacity: number;
  /** `Retry-After` of an export that the capacity refuses. */
  export_retry_seconds: number;
  /** With `jobs_fail`, the `Retry-After` of a failed export, which asks for a new attempt; null: it failed for good. */
  failed_export_retry_seconds: number | null;
  /** Tokens of a managed identity live much longer than an app's. */
  managed_identity_token_seconds: number;
  /** Base of `embedUrl`, e.g. `https://app.powerbi.com`; null: the emulator itself. */
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
    exports_per_capacity: 500,
    activity_delay_seconds: 0,
    activity_page_size: 5000,
    admin_update_switch: true,
    export_pages_per_capacity: 55,
    export_retry_seconds: 30,
    failed_export_retry_seconds: null,
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
  exports_per_capacity: isCount,
  activity_delay_seconds: isCount,
  activity_page_size: (value) => isCount(value) && value > 0,
  admin_update_switch: isFlag,
  export_pages_per_capacity: isCount,
  export_retry_seconds: isCount,
  failed_export_retry_seconds: (value) => value === null || isCount(value),
  managed_identity_token_seconds: isLifetime,
  embed_url_base: (value) => value === null || (typeof value === 'string' && URL.canParse(value)),
  guesses: (value) => typeof value === 'object' && value !== null && Object.entries(value).every(isGuess),
};

/** Returns the settings with a change applied. Throws Refusal, which names the invalid setting. */
export function changed(settings: Settings, change: unknown): Settings {
  if (typeof change !== 'object' || change === null) throw new Refusal('settings must be an object');
  for (const [name, value] of Object.entries(change)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof Settings] : undefined;
    if (!rule)
      throw new Refusal(`unknown setting: ${name}; expected one of ${Object.keys(rules).join(', ')}`);
    if (!rule(value)) throw new Refusal(`invalid value of ${name}: ${JSON.stringify(value)}`);
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
