import type { Emulator } from '../emulator.js';

/** An event of the activity log. */
export interface Activity {
  /** In emulator time, milliseconds. */
  at: number;
  activity: string;
  /** Client id of the app, and object id of the caller. */
  clientId: string;
  objectId?: string;
  /** User principal name, if the app acts for a user. */
  upn?: string;
  requestId: string;
  workspaceId?: string;
  reportId?: string;
  datasetId?: string;
  dashboardId?: string;
  embedTokenId?: string;
}

const kept = 20_000;

/** What callers did since the content was loaded; beyond 20,000 events the oldest are dropped. */
export class ActivityLog {
  private entries: Activity[] = [];

  constructor(private readonly emulator: Emulator) {}

  record(activity: Omit<Activity, 'at'>): void {
    if (this.entries.length >= kept) this.entries.splice(0, kept / 10);
    this.entries.push({ at: this.emulator.clock.now().getTime(), ...activity });
  }

  list(): Activity[] {
    return this.entries;
  }
}
