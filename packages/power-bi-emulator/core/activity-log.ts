import type { Emulator } from '../emulator.js';

/** An event of the activity log. */
export interface Activity {
  /** In emulator time, milliseconds. */
  at: number;
  activity: string;
  /** Client id and object id of the service principal. */
  clientId: string;
  objectId?: string;
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
