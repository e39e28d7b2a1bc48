import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './demo.js';
import { demoViewers, workspaceNamesOf } from './demo-people.js';
import { storeDemoUsage } from './demo-store.js';
import { DEMO_DAYS, DEMO_SEED, type DemoReport, demoUsage, type DemoViewer } from './demo-usage.js';
import { signInOnce } from './demo-visitor.js';
import { readIfExists, replaceFile } from '../src/core/files.js';

/** What is generated for a data folder. It is kept, so that a start that was killed meanwhile generates the same again. */
interface DemoPlan {
  seed: number;
  until: string;
  isComplete: boolean;
}

interface User {
  id: string;
  email: string;
  role: string;
}

interface Places {
  url: string;
  publicUrl: string;
  /** Database URL of the owner. */
  owner: string;
}

const POLL_MS = 250;

/** The demo data of a data folder, generated once in its life. */
export class DemoData {
  private constructor(
    private readonly file: string,
    private plan: DemoPlan,
  ) {}

  /** Null if the folder has none and `isWanted` is false. */
  static open(dataDir: string, isWanted: boolean): DemoData | null {
    const file = join(dataDir, 'demo-data.json');
    const text = readIfExists(file);
    if (text !== null) return new DemoData(file, JSON.parse(text) as DemoPlan);
    if (!isWanted) return null;
    const data = new DemoData(file, { seed: DEMO_SEED, until: new Date().toISOString(), isComplete: false });
    data.save();
    return data;
  }

  /** Adds users who view reports, through their sign-in, and their usage of the past days; resolves when figures include it. */
  async add(places: Places, api: Api, signal: AbortSignal): Promise<void> {
    if (this.plan.isComplete) return;
    await Promise.all(demoViewers.map(({ sub }) => signInOnce(places, sub, signal)));
    const { reports } = await api.get<{ reports: DemoReport[] }>('/api/reports');
    const viewers = await viewersOf(api);
    const { seed, until } = this.plan;
    signal.throwIfAborted();
    await storeDemoUsage(places.owner, demoUsage({ seed, until: new Date(until), reports, viewers }));
    await untilCounted(api, signal);
    this.plan = { ...this.plan, isComplete: true };
    this.save();
  }

  private save(): void {
    replaceFile(this.file, JSON.stringify(this.plan));
  }
}

async function viewersOf(api: Api): Promise<DemoViewer[]> {
  const { users } = await api.get<{ users: User[] }>('/api/users');
  const { workspaces } = await api.get<{ workspaces: { id: string; name: string }[] }>('/api/workspaces');
  return demoViewers.flatMap((person) => {
    const user = users.find(({ email }) => email === person.email);
    const names = workspaceNamesOf(person);
    const ids = workspaces.filter(({ name }) => names.includes(name)).map(({ id }) => id);
    return user === undefined
      ? []
      : [{ id: user.id, email: user.email, isAdmin: user.role === 'admin', workspaces: ids }];
  });
}

/** A request for figures starts the rollup, which would otherwise begin within a minute. */
async function untilCounted(api: Api, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { views } = await api.get<{ views: number }>(`/api/usage/overview?days=${DEMO_DAYS}`);
    if (views > 0) return;
    await sleep(POLL_MS, undefined, { signal });
  }
}
