import { readFileSync } from 'node:fs';

type Variables = Readonly<Record<string, string | undefined>>;

export interface Setting {
  name: string;
  about: string;
  fallback?: string;
  secret: boolean;
}

/** Every problem of the environment at once. Names the variables, never their values. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** Reads variables, collects what is wrong with them, and remembers what was asked for (the reference is made from it). */
export class Environment {
  readonly settings: Setting[] = [];
  private readonly problems: string[] = [];

  constructor(private readonly variables: Variables) {}

  fail(problem: string): void {
    this.problems.push(problem);
  }

  /** Throws ConfigError when anything that was read so far was missing or malformed. */
  check(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }

  optional(name: string, about: string): string | undefined {
    this.settings.push({ name, about, secret: false });
    return this.value(name);
  }

  string(name: string, about: string, fallback?: string): string {
    this.settings.push({ name, about, fallback, secret: false });
    return this.value(name) ?? fallback ?? this.missing(name);
  }

  /** Also read from the file that `<NAME>_FILE` names. */
  optionalSecret(name: string, about: string): string | undefined {
    this.settings.push({ name, about, secret: true });
    return this.value(name) ?? this.fileOf(`${name}_FILE`);
  }

  secret(name: string, about: string): string {
    return this.optionalSecret(name, about) ?? this.missing(name);
  }

  /** The content of the file that the variable names. */
  optionalFile(name: string, about: string): string | undefined {
    this.settings.push({ name, about, secret: false });
    return this.fileOf(name);
  }

  integer(name: string, about: string, range: { min: number; max: number; fallback: number }): number {
    this.settings.push({ name, about, fallback: String(range.fallback), secret: false });
    const text = this.value(name);
    if (text === undefined) return range.fallback;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= range.min && value <= range.max) return value;
    this.fail(`${name} must be a whole number from ${range.min} to ${range.max}`);
    return range.fallback;
  }

  boolean(name: string, about: string, fallback: boolean): boolean {
    return this.oneOf(name, about, ['true', 'false'], fallback ? 'true' : 'false') === 'true';
  }

  oneOf<T extends string>(name: string, about: string, allowed: readonly T[], fallback: T): T {
    this.settings.push({ name, about: `${about} (${allowed.join(', ')})`, fallback, secret: false });
    const text = this.value(name);
    const found = text === undefined ? fallback : allowed.find((value) => value === text);
    if (found === undefined) this.fail(`${name} must be one of: ${allowed.join(', ')}`);
    return found ?? fallback;
  }

  list(name: string, about: string): string[] {
    return (this.optional(name, about) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  /** A URL with one of the protocols, without a trailing slash. */
  optionalUrl(name: string, about: string, protocols: readonly string[]): string | undefined {
    const text = this.optional(name, about);
    return text === undefined ? undefined : this.urlOf(name, text, protocols);
  }

  url(name: string, about: string, protocols: readonly string[], fallback?: string): string {
    const text = this.string(name, about, fallback);
    return text === '' ? text : this.urlOf(name, text, protocols);
  }

  secretUrl(name: string, about: string, protocols: readonly string[]): string {
    const text = this.secret(name, about);
    return text === '' ? text : this.urlOf(name, text, protocols);
  }

  optionalSecretUrl(name: string, about: string, protocols: readonly string[]): string | undefined {
    const text = this.optionalSecret(name, about);
    return text === undefined ? undefined : this.urlOf(name, text, protocols);
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
      return readFileSync(path, 'utf8').trim();
    } catch (error) {
      this.fail(`${name} names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
      return undefined;
    }
  }

  private urlOf(name: string, text: string, protocols: readonly string[]): string {
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      this.fail(`${name} must be a URL with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    }
    return text.replace(/\/+$/, '');
  }
}
