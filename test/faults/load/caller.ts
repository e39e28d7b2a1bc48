import { Agent, request } from 'undici';
import { type Entry, type Op, resultOf } from './history.js';

/** Longer than the permitted response time, so that a slower response is detected. */
const TIMEOUT_MS = 20_000;

export interface RequestSpec {
  op: Op;
  actor: string;
  key?: string;
  value?: string | null;
  method?: string;
  path: string;
  token?: string;
  sid?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** The client address, sent as X-Forwarded-For. */
  from?: string;
  /** Disconnects after these milliseconds. */
  abortAfterMs?: number;
  /** Instead of the balancer. */
  url?: string;
}

export interface Reply {
  entry: Entry;
  body: Record<string, unknown>;
}

interface RawResponse {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** Sends requests and records the results. */
export class Caller {
  readonly history: Entry[] = [];
  /** Requests without a result. */
  openRequests = 0;
  private readonly agent = new Agent({
    connections: 2048,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
  });

  constructor(
    private readonly url: string,
    /** Workspace by its id and by those of its reports, which are visible only with a grant. */
    private readonly workspaceByResource: ReadonlyMap<string, string>,
  ) {}

  async send(asking: RequestSpec): Promise<Reply> {
    const { op, actor, key = '', value = null, sid } = asking;
    const t_invoke = Date.now();
    this.openRequests += 1;
    const raw = await this.exchange(asking).catch((): RawResponse => ({ status: 0, headers: {}, text: '' }));
    this.openRequests -= 1;
    const body = bodyOf(raw);
    const entry: Entry = {
      t_invoke,
      t_done: Date.now(),
      actor,
      op,
      key,
      value,
      result: resultOf(raw.status),
      status: raw.status,
      ...(typeof body['code'] === 'string' && raw.status >= 400 && { code: body['code'] }),
      ...(sid !== undefined && { sid }),
      ...(typeof raw.headers['x-served-by'] === 'string' && { replica: raw.headers['x-served-by'] }),
      ...(raw.status < 400 && { workspacesSeen: this.workspacesIn(raw.text) }),
      ...(isNotProblem(raw) && { isNotProblem: true }),
      ...(raw.status === 0 && asking.abortAfterMs !== undefined && { code: 'left' }),
    };
    this.history.push(entry);
    return { entry, body };
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange(asking: RequestSpec): Promise<RawResponse> {
    const { method = 'GET', path, token, body, from, abortAfterMs = TIMEOUT_MS } = asking;
    const isText = typeof body === 'string';
    const response = await request(`${asking.url ?? this.url}${path}`, {
      method,
      dispatcher: this.agent,
      signal: AbortSignal.timeout(abortAfterMs),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(from !== undefined && { 'x-forwarded-for': from }),
        ...asking.headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  }

  private workspacesIn(text: string): string[] {
    const ids = text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? [];
    return [...new Set(ids.flatMap((id) => this.workspaceByResource.get(id) ?? []))];
  }
}

/** Responses of the balancer itself do not count. */
const isNotProblem = ({ status, headers }: RawResponse): boolean =>
  status >= 400 &&
  headers['x-balancer'] === undefined &&
  !String(headers['content-type']).startsWith('application/problem+json');

function bodyOf({ text, headers }: RawResponse): Record<string, unknown> {
  if (!/\bjson\b/.test(String(headers['content-type']))) return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
