import {
  AuthError,
  type INetworkModule,
  type NetworkRequestOptions,
  type NetworkResponse,
} from '@azure/msal-node';
import { fields, MalformedResponse, parseJson } from './response-parsers.js';
import type { UpstreamCalls } from './upstream-calls.js';
import type { UpstreamResponse, UpstreamRequest } from './upstream-http.js';

/**
 * MSAL rethrows an AuthError unchanged but swallows all other errors, so the upstream error is attached to one. Not a
 * subclass, because the AuthError constructor resets the prototype.
 */
const carrying = (carried: unknown): AuthError =>
  Object.assign(new AuthError('upstream_error', '', 'see the attached error'), { carried });

/**
 * Sends MSAL's requests through UpstreamCalls, so that timeouts, limits, circuit breaker and redirect rejection also
 * apply to Entra.
 */
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
      return await this.calls.send({ ...request, scope: 'entra', operation: 'signing_in' }, (response) => ({
        status: response.status,
        headers: singleHeaders(response.headers),
        body: parseTokenResponse<T>(response.body),
      }));
    } catch (error) {
      throw carrying(error);
    }
  }
}

/** MSAL throws an error of its own for a success without a token, which would count as a defect of the service. */
function parseTokenResponse<T>(body: string): T {
  const response = parseJson(body);
  const { access_token: token } = fields(response);
  if (typeof token !== 'string' || token === '') throw new MalformedResponse('an access token was expected');
  return response as T;
}

const singleHeaders = (headers: UpstreamResponse['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
