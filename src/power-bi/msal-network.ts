import {
  AuthError,
  type INetworkModule,
  type NetworkRequestOptions,
  type NetworkResponse,
} from '@azure/msal-node';
import { parseJson } from './answers.js';
import { UpstreamError } from './upstream-error.js';
import type { UpstreamAnswer, UpstreamHttp, UpstreamRequest } from './upstream-http.js';

/** MSAL hands an AuthError on untouched and swallows every other error: this one carries ours through. */
class CarriedError extends AuthError {
  constructor(readonly carried: UpstreamError) {
    super('upstream_error', '', carried.message);
  }
}

/** What the network really said, whatever MSAL made of it. */
export const carriedError = (error: unknown): unknown =>
  error instanceof CarriedError ? error.carried : error;

/** MSAL's requests over our own client, so that its clocks, bounds and refused redirects hold for Entra too. */
export class MsalNetwork implements INetworkModule {
  constructor(private readonly http: UpstreamHttp) {}

  async sendGetRequestAsync<T>(url: string, options?: NetworkRequestOptions): Promise<NetworkResponse<T>> {
    return this.send({ method: 'GET', url: new URL(url), headers: options?.headers });
  }

  async sendPostRequestAsync<T>(url: string, options?: NetworkRequestOptions): Promise<NetworkResponse<T>> {
    return this.send({ method: 'POST', url: new URL(url), headers: options?.headers, body: options?.body });
  }

  private async send<T>(call: UpstreamRequest): Promise<NetworkResponse<T>> {
    try {
      const answer = await this.http.send(call);
      if (answer.status >= 400 && !isChallenge(call, answer)) throw this.http.refusal(call, answer);
      return { status: answer.status, headers: singleHeaders(answer), body: parseJson(answer.body) as T };
    } catch (error) {
      throw new CarriedError(error instanceof UpstreamError ? error : this.http.malformed(call, error));
    }
  }
}

/** Azure Arc's managed identity answers a first request with a challenge that MSAL must see. */
const isChallenge = ({ method }: UpstreamRequest, { status, headers }: UpstreamAnswer): boolean =>
  method === 'GET' && status === 401 && headers['www-authenticate'] !== undefined;

const singleHeaders = ({ headers }: UpstreamAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
