import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/** As of a load balancer to one replica. */
const connections = 500;

interface Problem {
  code?: string;
}

export interface View {
  /** Start by `Date.now()`, and duration. */
  at: number;
  ms: number;
  /** Whether a token was received. */
  isShown: boolean;
  /** Problem codes received before. */
  problems: string[];
}

/** Opens reports as the portal does: retries after Retry-After with jitter. */
export class Viewers {
  private readonly agent = new Agent({ connections });

  constructor(
    private readonly url: string,
    /** Time until a user gives up. */
    private readonly timeoutMs: number,
  ) {}

  /** Opens the list of workspaces, one of them, and one of its reports, selected by `choice`. */
  async open(token: string, choice: number): Promise<View> {
    const at = Date.now();
    const problems: string[] = [];
    const ask = <T>(path: string, method?: Dispatcher.HttpMethod): Promise<T | undefined> =>
      this.withRetries<T>({ path, method, token, until: at + this.timeoutMs, problems });
    const workspaces = await ask<{ workspaces: { id: string }[] }>('/api/workspaces?limit=25');
    const workspace = chosen(workspaces?.workspaces, choice);
    const reports =
      workspace && (await ask<{ reports: { id: string }[] }>(`/api/reports?workspace_id=${workspace.id}`));
    const report = chosen(reports?.reports, Math.floor(choice / (workspaces?.workspaces.length ?? 1)));
    const shown = report && (await ask<{ token: string }>(`/api/reports/${report.id}/embed-token`, 'POST'));
    return { at, ms: Date.now() - at, isShown: shown?.token !== undefined, problems };
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  private async withRetries<T>(asking: {
    path: string;
    method?: Dispatcher.HttpMethod;
    token: string;
    until: number;
    problems: string[];
  }): Promise<T | undefined> {
    const { path, method = 'GET', token, until, problems } = asking;
    for (let failures = 0; ; failures += 1) {
      const { status, retryAfter, body } = await this.ask(path, method, token);
      if (status === 200) return body as T;
      problems.push((body as Problem).code ?? `status ${status}`);
      const pause = Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS);
      const wait = Math.max(retryAfter * 1000, FIRST_RETRY_MS, pause / 2) + (Math.random() * pause) / 2;
      const mayPass = status === 0 || status === 429 || status === 503;
      if (!mayPass || Date.now() + wait > until) return undefined;
      await sleep(wait);
    }
  }

  private async ask(path: string, method: Dispatcher.HttpMethod, token: string) {
    try {
      const headers = { authorization: `Bearer ${token}` };
      const response = await request(`${this.url}${path}`, { method, headers, dispatcher: this.agent });
      const retryAfter = Number(response.headers['retry-after'] ?? 0);
      return { status: response.statusCode, retryAfter, body: await response.body.json() };
    } catch {
      return { status: 0, retryAfter: 0, body: { code: 'no response' } };
    }
  }
}

const chosen = <T>(items: readonly T[] | undefined, choice: number): T | undefined =>
  items?.[choice % items.length];
