import {
  AuthError,
  type INetworkModule,
  type NetworkRequestOptions,
  type NetworkResponse,
} from '@azure/msal-node';
import { parseJson } from './response-parsers.js';
import type { UpstreamCalls } from './upstream-calls.js';
import type { UpstreamResponse, UpstreamRequest } from './upstream-http.js';

/**
 * MSAL hands an AuthError on untouched and swallows every other error: ours travels inside one. No subclass: its
 * constructor sets the prototype back.
 */
const carrying = (carried: unknown): AuthError =>
  Object.assign(new AuthError('upstream_error', '', 'see what it carries'), { carried });

/** MSAL's requests by our own means, so that clocks, bounds, breaker and refused redirects hold for Entra too. */
export class MsalNetwork implements INetworkModule {
  constructor(private readonly calls: UpstreamCalls) {}

  async sendGetRequestAsync<T>(url: string, options?: NetworkRequestOptions): Promise<NetworkResponse<T>> {
    return this.send({ method: 'GET', url: new URL(url), headers: options?.headers });
  }

  async sendPostRequestAsync<T>(url: string, options?: NetworkRequestOptions): Promise<NetworkResponse<T>> {
    return this.send({
      method: 'POST',
      url: new URL(url),
      headers: options?.headers,
      body: options?.body,
    });
  }

  private async send<T>(request: UpstreamRequest): Promise<NetworkResponse<T>> {
    try {
      return await this.calls.send({ ...request, scope: 'entra', operation: 'signing_in' }, (answer) => ({
        status: answer.status,
        headers: singleHeaders(answer.headers),
        body: parseJson(answer.body) as T,
      }));
    } catch (error) {
      throw carrying(error);
    }
  }
}

const singleHeaders = (headers: UpstreamResponse['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
