import { Agent, request } from 'undici';
import { type Entry, type Op, resultOf } from './history.js';

/** Above what the service may take for an answer, so that one that takes longer is seen. */
const GIVE_UP_MS = 20_000;

export interface Asking {
  op: Op;
  proc: string;
  key?: string;
  value?: string | null;
  method?: string;
  path: string;
  token?: string;
  sid?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Address that the balancer would see it come from. */
  from?: string;
  /** Leaves after so many milliseconds. */
  patience?: number;
  /** Instead of the balancer. */
  url?: string;
}

export interface Reply {
  entry: Entry;
  body: Record<string, unknown>;
}

interface Raw {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** Speaks HTTP and writes down what came of it. */
export class Caller {
  readonly history: Entry[] = [];
  /** Requests that nothing has come of yet. */
  open = 0;
  private readonly agent = new Agent({
    connections: 2048,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
  });

  constructor(
    private readonly url: string,
    /** Workspace of each id that a person should see only with a grant there. */
    private readonly places: ReadonlyMap<string, string>,
  ) {}

  async send(asking: Asking): Promise<Reply> {
    const { op, proc, key = '', value = null, sid } = asking;
    const t_invoke = Date.now();
    this.open += 1;
    const raw = await this.exchange(asking).catch((): Raw => ({ status: 0, headers: {}, text: '' }));
    this.open -= 1;
    const body = bodyOf(raw);
    const entry: Entry = {
      t_invoke,
      t_done: Date.now(),
      proc,
      op,
      key,
      value,
      result: resultOf(raw.status),
      status: raw.status,
      ...(typeof body['code'] === 'string' && raw.status >= 400 && { code: body['code'] }),
      ...(sid !== undefined && { sid }),
      ...(typeof raw.headers['x-served-by'] === 'string' && { replica: raw.headers['x-served-by'] }),
      ...(raw.status < 400 && { saw: this.placesIn(raw.text) }),
      ...(isBare(raw) && { bare: true }),
      ...(raw.status === 0 && asking.patience !== undefined && { code: 'left' }),
    };
    this.history.push(entry);
    return { entry, body };
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange(asking: Asking): Promise<Raw> {
    const { method = 'GET', path, token, body, from, patience = GIVE_UP_MS } = asking;
    const isText = typeof body === 'string';
    const answer = await request(`${asking.url ?? this.url}${path}`, {
      method,
      dispatcher: this.agent,
      signal: AbortSignal.timeout(patience),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(from !== undefined && { 'x-forwarded-for': from }),
        ...asking.headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  private placesIn(text: string): string[] {
    const ids = text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? [];
    return [...new Set(ids.flatMap((id) => this.places.get(id) ?? []))];
  }
}

/** What the balancer says itself is not the service's answer. */
const isBare = ({ status, headers }: Raw): boolean =>
  status >= 400 &&
  headers['x-balancer'] === undefined &&
  !String(headers['content-type']).startsWith('application/problem+json');

function bodyOf({ text, headers }: Raw): Record<string, unknown> {
  if (!/\bjson\b/.test(String(headers['content-type']))) return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
