import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/** As many as a balancer keeps to one replica. */
const connections = 500;

interface Problem {
  code?: string;
}

export interface View {
  /** When it began and how long it took, by `Date.now()`. */
  at: number;
  ms: number;
  /** Whether there is a token in the end. */
  isShown: boolean;
  /** Codes that were answered on the way. */
  problems: string[];
}

/** Opens reports as the portal does: a refusal is asked again when it says so, and at random a little later. */
export class Viewers {
  private readonly agent = new Agent({ connections });

  constructor(
    private readonly url: string,
    /** How long somebody looks at an empty page. */
    private readonly patienceMs: number,
  ) {}

  /** The list of workspaces, one of them, and one of its reports; `choice` says which. */
  async open(token: string, choice: number): Promise<View> {
    const at = Date.now();
    const problems: string[] = [];
    const ask = <T>(path: string, method?: Dispatcher.HttpMethod): Promise<T | undefined> =>
      this.patiently<T>({ path, method, token, until: at + this.patienceMs, problems });
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

  private async patiently<T>(asking: {
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
      const answer = await request(`${this.url}${path}`, { method, headers, dispatcher: this.agent });
      const retryAfter = Number(answer.headers['retry-after'] ?? 0);
      return { status: answer.statusCode, retryAfter, body: await answer.body.json() };
    } catch {
      return { status: 0, retryAfter: 0, body: { code: 'no answer' } };
    }
  }
}

const chosen = <T>(items: readonly T[] | undefined, choice: number): T | undefined =>
  items?.[choice % items.length];
