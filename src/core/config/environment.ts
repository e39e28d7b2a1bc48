import { readFileSync } from 'node:fs';
import { isPercentEncoded } from './percent-encoding.js';
import { isSample } from './placeholder.js';

type Variables = Readonly<Record<string, string | undefined>>;

export interface Setting {
  name: string;
  group: string;
  about: string;
  /** Accepted values, as text for the reference. */
  values: string;
  fallback?: string;
  required: boolean;
  secret: boolean;
}

/** Variables of this process. NODE_ENV defaults to `production`. */
export const processVariables = (): Variables => ({
  ...process.env,
  NODE_ENV: process.env.NODE_ENV || 'production',
});

/** What a value must be; the problem follows the name of the variable. */
interface Rule {
  holds: (text: string) => boolean;
  problem: string;
}

export const web = ['https:', 'http:'];

/** Lists every problem of the configuration at once. Names the variables, never their values. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** Reads variables, collects their errors, and records each requested setting, from which the reference is generated. */
export class Environment {
  constructor(
    private readonly variables: Variables,
    private readonly title = '',
    readonly settings: Setting[] = [],
    private readonly problems: string[] = [],
    /** Logged at startup. */
    readonly warnings: string[] = [],
  ) {}

  /** The same environment, scoped to one group of the reference: settings read through it belong to that group. */
  group(title: string): Environment {
    return new Environment(this.variables, title, this.settings, this.problems, this.warnings);
  }

  /** Whether samples and settings that weaken security are rejected. */
  get isProduction(): boolean {
    const { NODE_ENV } = this.variables;
    return NODE_ENV !== undefined && NODE_ENV !== 'development' && NODE_ENV !== 'test';
  }

  fail(problem: string): void {
    this.problems.push(problem);
  }

  /** Throws ConfigError if any variable read so far is missing or malformed. */
  check(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }

  /** Whether the variable, or the one that names its file, is set: a file that cannot be read is reported as such. */
  isGiven(name: string): boolean {
    return this.value(name) !== undefined || this.value(`${name}_FILE`) !== undefined;
  }

  /** Warns if a variable is set that no longer has an effect. */
  warnWhereSet(name: string): void {
    if (this.value(name) !== undefined) {
      this.warnings.push(`${name} has no effect and can be removed: see CHANGELOG.md`);
    }
  }

  optional(name: string, about: string, values = 'text', rule?: Rule): string | undefined {
    this.note(name, about, { values });
    return this.checked(name, this.value(name), rule);
  }

  string(name: string, about: string, fallback?: string, values = 'text', rule?: Rule): string {
    this.note(name, about, { values, fallback, required: fallback === undefined });
    return this.checked(name, this.value(name), rule) ?? fallback ?? this.missing(name);
  }

  /** Also reads the file that `<NAME>_FILE` names. */
  optionalSecret(name: string, about: string, values = 'text'): string | undefined {
    this.note(name, about, { values, secret: true });
    return this.secretValue(name);
  }

  secret(name: string, about: string, values = 'text'): string {
    this.note(name, about, { values, secret: true, required: true });
    return this.secretValue(name) ?? (this.isGiven(name) ? '' : this.missing(name));
  }

  /** The content of the file that the variable names. */
  optionalFile(name: string, about: string): string | undefined {
    this.note(name, about, { values: 'file path' });
    return this.fileOf(name);
  }

  integer(name: string, about: string, range: { min: number; max: number; fallback: number }): number {
    const { min, max, fallback } = range;
    this.note(name, about, { values: `\`${min}\` to \`${max}\``, fallback: String(fallback) });
    const text = this.value(name);
    if (text === undefined) return fallback;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.fail(`${name} must be an integer from ${min} to ${max}`);
    return fallback;
  }

  boolean(name: string, about: string, fallback: boolean): boolean {
    return this.oneOf(name, about, ['true', 'false'], fallback ? 'true' : 'false') === 'true';
  }

  oneOf<T extends string>(name: string, about: string, allowed: readonly T[], fallback: T): T {
    this.note(name, about, { values: allowed.map((each) => `\`${each}\``).join(', '), fallback });
    const text = this.value(name);
    const found = text === undefined ? fallback : allowed.find((value) => value === text);
    if (found === undefined) this.fail(`${name} must be one of: ${allowed.join(', ')}`);
    return found ?? fallback;
  }

  list(name: string, about: string, rule?: Rule): string[] {
    const items = (this.optional(name, about, 'comma-separated list') ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    if (rule !== undefined && !items.every(rule.holds)) this.fail(`${name} ${rule.problem}`);
    return items;
  }

  /** A URL with one of the protocols, without a trailing slash. */
  url(name: string, about: string, protocols: readonly string[], fallback: string): string {
    return trimmed(this.string(name, about, fallback, urlWith(protocols), urlRule(protocols)));
  }

  optionalUrl(name: string, about: string, protocols: readonly string[]): string | undefined {
    return trimmed(this.optional(name, about, urlWith(protocols), urlRule(protocols)));
  }

  secretUrl(name: string, about: string, protocols: readonly string[]): string {
    const text = this.secret(name, about, urlWith(protocols));
    return this.checkedSecretUrl(name, text || undefined, protocols) ?? '';
  }

  optionalSecretUrl(name: string, about: string, protocols: readonly string[]): string | undefined {
    const text = this.optionalSecret(name, about, urlWith(protocols));
    return this.checkedSecretUrl(name, text, protocols);
  }

  private note(name: string, about: string, rest: Partial<Setting>): void {
    const { title: group } = this;
    this.settings.push({ name, group, about, values: 'text', required: false, secret: false, ...rest });
  }

  /** Fails in production if a Node.js variable has this value, which would weaken the whole process. */
  forbid(name: string, value: string, reason: string): void {
    if (this.isProduction && this.value(name) === value) this.fail(`${name}=${value} ${reason}`);
  }

  private secretValue(name: string): string | undefined {
    const text = this.value(name) ?? this.fileOf(`${name}_FILE`);
    if (text !== undefined && this.isProduction && isSample(text)) {
      this.fail(`${name} is a sample value: generate your own`);
    }
    return text;
  }

  private checkedSecretUrl(
    name: string,
    text: string | undefined,
    protocols: readonly string[],
  ): string | undefined {
    this.checked(name, text, encodedUser);
    return trimmed(this.checked(name, text, urlRule(protocols)));
  }

  private value(name: string): string | undefined {
    const text = this.variables[name]?.trim();
    return text === '' ? undefined : text;
  }

  private missing(name: string): string {
    this.fail(`${name} is missing`);
    return '';
  }

  private fileOf(name: string): string | undefined {
    const path = this.value(name);
    if (path === undefined) return undefined;
    try {
      const text = readFileSync(path, 'utf8').trim();
      if (text !== '') return text;
      this.fail(`${name} refers to an empty file`);
    } catch (error) {
      this.fail(`${name} refers to a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
    return undefined;
  }

  private checked(name: string, text: string | undefined, rule?: Rule): string | undefined {
    if (text !== undefined && rule?.holds(text) === false) this.fail(`${name} ${rule.problem}`);
    return text;
  }
}

export const urlRule = (protocols: readonly string[]): Rule => ({
  holds: (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
  problem: `must be a URL with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
});

/** The clients of PostgreSQL, Redis and SMTP decode user and password, and fail without naming the variable. */
const encodedUser: Rule = {
  holds: (text) => {
    if (!URL.canParse(text)) return true;
    const { username, password } = new URL(text);
    return isPercentEncoded(`${username}:${password}`);
  },
  problem: 'has a user or password that is not percent-encoded: write % as %25',
};

const trimmed = <T extends string | undefined>(text: T) => text?.replace(/\/+$/, '') as T;

const urlWith = (protocols: readonly string[]): string =>
  `URL with ${protocols.map((protocol) => `\`${protocol}//\``).join(' or ')}`;
