import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from './secrets.js';

const SYNC_POLL_MS = 50;

interface Dataset {
  id: string;
  name: string;
  pbi_dataset_id: string;
  identity_required: boolean | null;
  identity_policy: object | null;
}

interface Report {
  id: string;
  pbi_dataset_id: string | null;
  report_type: string;
}

export interface Demo {
  /** Null when the password has been changed, so that the demo cannot sign in. */
  admin: Credentials | null;
  /** The API as the admin. */
  api?: Api;
  /** A report that requires no effective identity. */
  reportId?: string;
}

/** Roles by dataset name. Other datasets that require an identity get one without roles. */
export const rolesOf: Record<string, string[]> = { 'Sales by region': ['Manager'] };

/** The service's API, with a session. */
export class Api {
  private token = '';

  constructor(private readonly url: string) {}

  async signIn({ email, password }: Credentials): Promise<boolean> {
    const answer = await this.send('POST', '/api/auth/token', { email, password });
    if (!answer.ok) return false;
    this.token = ((await answer.json()) as { access_token: string }).access_token;
    return true;
  }

  get<T>(path: string): Promise<T> {
    return this.request<T>('GET', path);
  }

  async put(path: string, body: object): Promise<void> {
    await this.request('PUT', path, body);
  }

  /** Runs a sync of the catalogue and waits for its end. */
  async sync(signal: AbortSignal): Promise<void> {
    const { id } = await this.request<{ id: string }>('POST', '/api/syncs');
    const isRunning = async () =>
      (await this.get<{ finished_at: string | null }>(`/api/syncs/${id}`)).finished_at === null;
    while (await isRunning()) await sleep(SYNC_POLL_MS, undefined, { signal });
  }

  private async request<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await this.send(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  private send(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.token && { Authorization: `Bearer ${this.token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
  }
}

/** Sets an identity policy on each demo dataset that requires one and has none. */
async function setPolicies(api: Api, datasets: Dataset[]): Promise<void> {
  for (const { id, name, identity_required, identity_policy } of datasets) {
    if (!identity_required || identity_policy) continue;
    const policy = { username: '{{email}}', roles: rolesOf[name] ?? [] };
    await api.put(`/api/datasets/${id}/identity-policy`, policy);
  }
}

/** Sets up the demo through the public API, as the admin. */
export async function setUpDemo(url: string, candidates: Credentials[]): Promise<Demo> {
  const api = new Api(url);
  for (const admin of candidates) {
    if (!(await api.signIn(admin))) continue;
    const { datasets } = await api.get<{ datasets: Dataset[] }>('/api/datasets');
    await setPolicies(api, datasets);
    const { reports } = await api.get<{ reports: Report[] }>('/api/reports');
    const guarded = new Set(
      datasets.filter((each) => each.identity_required).map((each) => each.pbi_dataset_id),
    );
    const open = reports.find(
      ({ report_type, pbi_dataset_id }) =>
        report_type === 'PowerBIReport' && !guarded.has(pbi_dataset_id ?? ''),
    );
    return { admin, api, reportId: open?.id };
  }
  return { admin: null };
}
