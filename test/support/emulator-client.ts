import {
  demoPassword,
  demoTenant,
  type EmulatorOptions,
  type RunningEmulator,
  type Settings,
  startEmulator,
} from '@vitrine/power-bi-emulator';

export const powerBiScope = 'https://analysis.windows.net/powerbi/api/.default';

export interface ApiResponse<T> {
  status: number;
  headers: Headers;
  text: string;
  body: T;
}

export type Body = Record<string, unknown>;

export interface AccessToken {
  token_type: string;
  expires_in: number;
  access_token: string;
}

export interface EmbedToken {
  token: string;
  tokenId: string;
  expiration: string;
}

export interface Named {
  id: string;
  name: string;
  [property: string]: unknown;
}

export interface Report extends Named {
  groupId: string;
  embedUrl: string;
  datasetId: string;
}

/** Calls the emulator over HTTP. */
export class EmulatorClient {
  private token = '';

  private constructor(private readonly emulator: RunningEmulator) {}

  get url(): string {
    return this.emulator.url;
  }

  close(): Promise<void> {
    return this.emulator.close();
  }

  static async start(options?: EmulatorOptions): Promise<EmulatorClient> {
    const client = new EmulatorClient(await startEmulator(options));
    await client.signIn();
    return client;
  }

  /** Requests a token of Entra as the demo service principal, with these fields changed. */
  askEntra(change: Record<string, string> = {}, tenant = demoTenant.tenantId) {
    const form = {
      grant_type: 'client_credentials',
      client_id: demoTenant.clientId,
      client_secret: demoTenant.clientSecret,
      scope: powerBiScope,
      ...change,
    };
    return this.send<AccessToken>('POST', `/${tenant}/oauth2/v2.0/token`, new URLSearchParams(form));
  }

  async signIn(change: Record<string, string> = {}): Promise<void> {
    this.token = (await this.askEntra(change)).body.access_token;
  }

  /** The header of a call by a user of the demo tenant. */
  async headerOf(name: string): Promise<{ Authorization: string }> {
    const username = `${name}@vitrine.example`;
    const { body } = await this.askEntra({ grant_type: 'password', username, password: demoPassword });
    return { Authorization: `Bearer ${body.access_token}` };
  }

  get<T = Body>(path: string, headers: Record<string, string> = {}) {
    return this.rest<T>('GET', path, undefined, headers);
  }

  post<T = Body>(path: string, body?: unknown, headers: Record<string, string> = {}) {
    return this.rest<T>('POST', path, body, headers);
  }

  rest<T = Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return this.send<T>(method, `/v1.0/myorg${path}`, body, {
      Authorization: `Bearer ${this.token}`,
      ...headers,
    });
  }

  /** The items of a list. Throws unless the status is 200. */
  async list<T = Body>(path: string): Promise<T[]> {
    const { status, body } = await this.get<{ value: T[] }>(path);
    if (status !== 200) throw new Error(`GET ${path}: ${status}`);
    return body.value;
  }

  async workspace(name: string): Promise<Named> {
    return named((await this.get<{ value: Named[] }>('/groups')).body.value, name);
  }

  async report(workspace: string, name: string): Promise<Report> {
    const { id } = await this.workspace(workspace);
    const { value } = (await this.get<{ value: Report[] }>(`/groups/${id}/reports`)).body;
    return { ...named(value, name), groupId: id };
  }

  async dataset(workspace: string, name: string): Promise<Named> {
    const { id } = await this.workspace(workspace);
    return named((await this.get<{ value: Named[] }>(`/groups/${id}/datasets`)).body.value, name);
  }

  control<T = Body>(method: string, path: string, body?: unknown) {
    return this.send<T>(method, `/__emulator${path}`, body);
  }

  set(settings: Partial<Omit<Settings, 'guesses'>> & { guesses?: Partial<Settings['guesses']> }) {
    return this.control('PATCH', '/settings', settings);
  }

  /** Moves the emulator's clock. */
  advance(seconds: number) {
    return this.control('POST', '/clock', { advance_seconds: seconds });
  }

  async reset(): Promise<void> {
    await this.control('POST', '/reset');
    await this.signIn();
  }

  async send<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse<T>> {
    const form = body instanceof URLSearchParams || body instanceof FormData;
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(body !== undefined && !form && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) as T };
  }
}

function named<T extends Named>(list: T[], name: string): T {
  const found = list.find((each) => each.name === name);
  if (!found) throw new Error(`no ${name} among ${list.map((each) => each.name).join(', ')}`);
  return found;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
