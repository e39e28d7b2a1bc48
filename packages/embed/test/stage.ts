import { embedTokensIn } from '../src/embed-tokens.js';
import type { EmbedProblem } from '../src/problem.js';
import type { EmbedToken, KeepOptions, ServiceOptions } from '../src/types.js';
import { FakeWorld, settled } from './fake-environment.js';

export type Answer = () => Response | Promise<Response>;

let tokens = 0;

export const tokenOf = (change: Partial<EmbedToken> = {}): EmbedToken => ({
  token: `token-${(tokens += 1)}`,
  token_id: '0a1b',
  // Of another century than the clock of the page: nobody may look at it.
  expires_at: '2100-01-01T01:00:00.000Z',
  expires_in: 3600,
  refresh_in: 3300,
  embed_url: 'https://app.powerbi.com/reportEmbed?reportId=1',
  report_id: '019a',
  pbi_report_id: '1',
  access: 'view',
  ...change,
});

export const gives =
  (change?: object): Answer =>
  () =>
    Response.json({ ...tokenOf(), ...change });

export const refuses =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json({ status, code, title: 'No', detail: `Because of ${code}.` }, { status, headers });

export const cutOff: Answer = () => Promise.reject(new TypeError('Failed to fetch'));

export interface Call {
  url: string;
  init: RequestInit;
}

/** A page, and a service that gives the answers in turn and the last one for ever. */
export function stage(answers: Answer[], options: ServiceOptions = {}) {
  const world = new FakeWorld();
  const calls: Call[] = [];
  const next = [...answers];
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    calls.push({ url, init });
    const answer = next.length > 1 ? next.shift() : next[0];
    if (answer === undefined) throw new Error('No answer is left.');
    return Promise.resolve(answer());
  };
  const service = embedTokensIn(world, { fetch, ...options });
  return {
    world,
    calls,
    service,
    answerWith: (...answers: Answer[]) => next.splice(0, Infinity, ...answers),
    keep: async (change: Partial<KeepOptions> = {}) => {
      const heard = new Heard();
      const kept = service.keep({ reportId: '019a', ...heard.callbacks, ...change });
      await settled();
      return { kept, heard };
    },
  };
}

/** Everything that the page was told, in its order. */
class Heard {
  readonly events: string[] = [];
  readonly tokens: EmbedToken[] = [];
  readonly problems: EmbedProblem[] = [];

  readonly callbacks: Omit<KeepOptions, 'reportId'> = {
    onToken: (token) => {
      this.events.push('token');
      this.tokens.push(token);
    },
    onTrouble: (problem) => this.tell('trouble', problem),
    onRecovered: () => this.events.push('recovered'),
    onRevoked: (problem) => this.tell('revoked', problem),
    onFailed: (problem) => this.tell('failed', problem),
    onExpired: () => this.events.push('expired'),
  };

  private tell(name: string, problem: EmbedProblem): void {
    this.events.push(`${name} ${problem.code}`);
    this.problems.push(problem);
  }
}
