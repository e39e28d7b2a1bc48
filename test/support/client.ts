export interface ApiResponse<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

/** A problem without its request id and path, to compare two responses. */
export const comparable = ({ status, body }: ApiResponse): object => ({
  ...body,
  status,
  request_id: undefined,
  instance: undefined,
});

interface Options {
  body?: unknown;
  headers?: Record<string, string>;
}

const warmedReads = /^\/api\/(?:workspaces|reports)\b/;

/** Calls the API of the service, with or without a token. */
export class Client {
  /** With TEST_WARM reads are sent twice, so that the second finds the caller's principal in the cache. */
  static warms = process.env.TEST_WARM !== undefined;

  constructor(
    private readonly url: string,
    readonly token?: string,
  ) {}

  async get<T = Record<string, unknown>>(
    path: string,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<T>> {
    if (Client.warms && warmedReads.test(path)) await this.send('GET', path, { headers });
    return this.send('GET', path, { headers });
  }

  post<T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<T>> {
    return this.send('POST', path, { body, headers });
  }

  put<T = Record<string, unknown>>(path: string, body?: unknown): Promise<ApiResponse<T>> {
    return this.send('PUT', path, { body });
  }

  patch<T = Record<string, unknown>>(path: string, body?: unknown): Promise<ApiResponse<T>> {
    return this.send('PATCH', path, { body });
  }

  delete<T = Record<string, unknown>>(path: string): Promise<ApiResponse<T>> {
    return this.send('DELETE', path, {});
  }

  async send<T = Record<string, unknown>>(
    method: string,
    path: string,
    options: Options,
  ): Promise<ApiResponse<T>> {
    const { body, headers } = options;
    const response = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers: {
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : {};
    return { status: response.status, headers: response.headers, body: parsed as T };
  }
}

/** A client with an access token of a service account. */
export async function asServiceAccount(
  url: string,
  { id, client_secret }: { id: string; client_secret: string },
): Promise<Client> {
  const { body } = await new Client(url).post<{ access_token: string }>('/api/auth/token', {
    grant_type: 'client_credentials',
    client_id: id,
    client_secret,
  });
  return new Client(url, body.access_token);
}
