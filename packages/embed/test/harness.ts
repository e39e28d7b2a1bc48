import { embedTokensIn } from '../src/embed-tokens.js';
import type { EmbedProblem } from '../src/problem.js';
import type { EmbedToken, KeepOptions, ServiceOptions } from '../src/types.js';
import type { UsageEvent } from '../src/usage-queue.js';
import { FakeEnvironment, settle } from './fake-environment.js';

export type ResponseFactory = () => Response | Promise<Response>;

let tokens = 0;

export const tokenOf = (change: Partial<EmbedToken> = {}): EmbedToken => ({
  token: `token-${(tokens += 1)}`,
  token_id: '0a1b',
  // Far from the clock of the page, which shows that the package does not use it.
  expires_at: '2100-01-01T01:00:00.000Z',
  expires_in: 3600,
  refresh_in: 3300,
  embed_url: 'https://app.powerbi.com/reportEmbed?reportId=1',
  report_id: '019a',
  pbi_report_id: '1',
  access: 'view',
  ...change,
});

export const tokenResponse =
  (change?: object): ResponseFactory =>
  () =>
    Response.json({ ...tokenOf(), ...change });

export const problemResponse =
  (status: number, code: string, headers: Record<string, string> = {}): ResponseFactory =>
  () =>
    Response.json({ status, code, title: 'No', detail: `Because of ${code}.` }, { status, headers });

export const networkFailure: ResponseFactory = () => Promise.reject(new TypeError('Failed to fetch'));

export interface Call {
  url: string;
  init: RequestInit;
}

export const accepted: ResponseFactory = () => Response.json({ accepted: 1, rejected: [] }, { status: 202 });

/** Requests to one route; its responses are returned in turn and then the last one repeatedly. */
class Route {
  readonly calls: Call[] = [];

  constructor(private next: ResponseFactory[]) {}

  respondWith = (...responses: ResponseFactory[]): void => {
    this.next = responses;
  };

  handle(call: Call): Promise<Response> {
    this.calls.push(call);
    const response = this.next.length > 1 ? this.next.shift() : this.next[0];
    if (response === undefined) throw new Error('There is no further response.');
    return Promise.resolve(response());
  }
}

/** The events of each request. */
export const batchesOf = (calls: readonly Call[]): UsageEvent[][] =>
  calls.map(({ init }) => (JSON.parse(init.body as string) as { events: UsageEvent[] }).events);

/** A page and a service with these responses to requests for tokens; it accepts usage events. */
export function createHarness(responses: ResponseFactory[], options: ServiceOptions = {}) {
  const environment = new FakeEnvironment();
  const tokenRoute = new Route([...responses]);
  const usage = new Route([accepted]);
  const fetch = (url: string, init: RequestInit): Promise<Response> =>
    (url.endsWith('/api/usage/events') ? usage : tokenRoute).handle({ url, init });
  const service = embedTokensIn(environment, { fetch, ...options });
  return {
    environment,
    calls: tokenRoute.calls,
    respondWith: tokenRoute.respondWith,
    usage,
    service,
    subscribe: async (change: Partial<KeepOptions> = {}) => {
      const received = new ReceivedEvents();
      const subscription = service.keep({ reportId: '019a', ...received.callbacks, ...change });
      await settle();
      return { subscription, received };
    },
  };
}

/** All events that the page received, in order. */
class ReceivedEvents {
  readonly events: string[] = [];
  readonly tokens: EmbedToken[] = [];
  readonly problems: EmbedProblem[] = [];

  readonly callbacks: Omit<KeepOptions, 'reportId'> = {
    onToken: (token) => {
      this.events.push('token');
      this.tokens.push(token);
    },
    onTrouble: (problem) => this.record('trouble', problem),
    onRecovered: () => this.events.push('recovered'),
    onRevoked: (problem) => this.record('revoked', problem),
    onFailed: (problem) => this.record('failed', problem),
    onExpired: () => this.events.push('expired'),
  };

  private record(name: string, problem: EmbedProblem): void {
    this.events.push(`${name} ${problem.code}`);
    this.problems.push(problem);
  }
}
