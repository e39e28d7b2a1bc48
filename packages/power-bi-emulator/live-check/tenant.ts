export interface Credentials {
  apiUrl: string;
  authorityUrl: string;
  scope: string;
  tenantId: string;
  clientId: string;
  clientSecret: string;
  /** A workspace in which the service principal has no role. */
  foreignWorkspaceId?: string;
}

export interface TenantResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Undefined when the body is not a JSON object. */
  body: Record<string, unknown> | undefined;
}

interface TenantRequest {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Throws an Error that names the missing variables. */
export function credentialsFrom(env: Readonly<Record<string, string | undefined>>): Credentials {
  const names = ['POWERBI_TENANT_ID', 'POWERBI_CLIENT_ID', 'POWERBI_CLIENT_SECRET'] as const;
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) throw new Error(`Set ${missing.join(', ')}.`);
  return {
    apiUrl: env.POWERBI_API_URL ?? 'https://api.powerbi.com',
    authorityUrl: env.POWERBI_AUTHORITY_URL ?? 'https://login.microsoftonline.com',
    scope: env.POWERBI_SCOPE ?? 'https://analysis.windows.net/powerbi/api/.default',
    tenantId: env.POWERBI_TENANT_ID ?? '',
    clientId: env.POWERBI_CLIENT_ID ?? '',
    clientSecret: env.POWERBI_CLIENT_SECRET ?? '',
    foreignWorkspaceId: env.LIVE_CHECK_FOREIGN_WORKSPACE_ID,
  };
}

async function send(url: string, { method = 'GET', body, headers }: TenantRequest): Promise<TenantResponse> {
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
    body: body instanceof URLSearchParams || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: objectOf(text) };
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A tenant, called as its service principal. The access token stays private to this class. */
export class Tenant {
  private token = '';

  constructor(readonly credentials: Credentials) {}

  /** Throws when the credentials are rejected. */
  async signIn(): Promise<TenantResponse> {
    const response = await this.askEntra({});
    if (typeof response.body?.access_token !== 'string') {
      throw new Error(
        `Entra rejected the credentials: ${response.status} ${JSON.stringify(response.body?.error)}`,
      );
    }
    this.token = response.body.access_token;
    return response;
  }

  askEntra(change: Record<string, string>, path = 'oauth2/v2.0/token'): Promise<TenantResponse> {
    const { authorityUrl, tenantId, clientId, clientSecret, scope } = this.credentials;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const body = new URLSearchParams({ ...form, scope, ...change });
    return send(`${authorityUrl}/${tenantId}/${path}`, { method: 'POST', body });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<TenantResponse> {
    return this.as(`Bearer ${this.token}`, path, headers);
  }

  /** Sends this authorization instead of the own access token; undefined: none. */
  as(
    authorization: string | undefined,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<TenantResponse> {
    const all = { ...headers, ...(authorization !== undefined && { authorization }) };
    return send(`${this.credentials.apiUrl}/v1.0/myorg/${path}`, { headers: all });
  }

  post(path: string, body: object): Promise<TenantResponse> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    return send(`${this.credentials.apiUrl}/v1.0/myorg/${path}`, { method: 'POST', body, headers });
  }

  postUntyped(path: string, body: object): Promise<TenantResponse> {
    const headers = { authorization: `Bearer ${this.token}` };
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    return send(`${this.credentials.apiUrl}/v1.0/myorg/${path}`, { method: 'POST', body: bytes, headers });
  }

  /** The access token's claims, decoded locally. */
  claims(): Record<string, unknown> {
    const [, payload = ''] = this.token.split('.');
    return objectOf(Buffer.from(payload, 'base64url').toString('utf8')) ?? {};
  }
}
