import { ActivityLog } from './core/activity-log.js';
import { CallLog } from './core/calls.js';
import { Clock } from './core/clock.js';
import { Faults } from './core/faults.js';
import type { GuessChoices, GuessName } from './core/guesses.js';
import { defaultSettings, type Settings } from './core/settings.js';
import type { Content } from './content/content.js';
import { Jobs } from './core/jobs.js';
import { Limits } from './core/limits.js';
import { Propagation } from './core/propagation.js';
import { SignIns } from './entra/sign-ins.js';
import { makeKeys, type Keys } from './core/keys.js';

/** The emulator's state. */
export class Emulator {
  readonly clock = new Clock();
  readonly calls = new CallLog(this.clock);
  readonly faults = new Faults();
  settings: Settings = defaultSettings();
  content: Content;
  limits = new Limits(this.clock);
  propagation = new Propagation(this);
  jobs = new Jobs();
  readonly signIns = new SignIns(this.clock);
  activities = new ActivityLog(this);
  /** Time of the content, to which its past refreshes are relative. Milliseconds. */
  loadedAt = this.clock.now().getTime();
  /** Embed tokens issued for workspaces on shared capacity. */
  sharedCapacityTokens = 0;

  private constructor(
    readonly keys: Keys,
    private readonly initialContent: () => Content,
    /** URL for browsers and clients; set once the server listens. */
    public url = '',
  ) {
    this.content = initialContent();
  }

  static async create(initialContent: () => Content): Promise<Emulator> {
    return new Emulator(await makeKeys(), initialContent);
  }

  guess<Name extends GuessName>(name: Name): GuessChoices[Name] {
    return this.settings.guesses[name];
  }

  replaceContent(content: Content): void {
    this.content = content;
    this.limits = new Limits(this.clock);
    this.propagation = new Propagation(this);
    this.jobs = new Jobs();
    this.activities = new ActivityLog(this);
    this.loadedAt = this.clock.now().getTime();
    this.sharedCapacityTokens = 0;
  }

  reset(): void {
    this.clock.reset();
    this.signIns.clear();
    this.replaceContent(this.initialContent());
    this.settings = defaultSettings();
    this.faults.clear();
    this.calls.clear();
  }
}
