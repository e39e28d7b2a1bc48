import { EntraError } from './entra-error.js';

/** Token audiences of Power BI in Microsoft's clouds. */
export const audiences = [
  'https://analysis.windows.net/powerbi/api',
  'https://analysis.usgovcloudapi.net/powerbi/api',
  'https://high.analysis.usgovcloudapi.net/powerbi/api',
  'https://mil.analysis.usgovcloudapi.net/powerbi/api',
  'https://analysis.chinacloudapi.cn/powerbi/api',
];

/** Microsoft Graph, the audience of a sign-in that names no API. */
export const graph = '00000003-0000-0000-c000-000000000000';
const graphUrl = 'https://graph.microsoft.com';

const openidScopes = ['openid', 'profile', 'email', 'offline_access'];

/** Delegated permissions that the scope `.default` requests. */
const allPermissions = [
  'Capacity.ReadWrite.All',
  'Content.Create',
  'Dashboard.ReadWrite.All',
  'Dataset.ReadWrite.All',
  'Report.ReadWrite.All',
  'Tenant.ReadWrite.All',
  'Workspace.ReadWrite.All',
];

/** The audience of a v2 scope; undefined when it is unknown. */
export function audienceOfScope(scope: string | undefined): string | undefined {
  return audiences.find((each) => scope?.split(' ').includes(`${each}/.default`));
}

/** The audience of a v1 or managed identity resource; undefined when it is unknown. */
export function audienceOfResource(resource: unknown): string | undefined {
  return audiences.find((each) => each === String(resource).replace(/\/$/, ''));
}

export interface Scopes {
  audience: string;
  permissions: string[];
  openid: string[];
}

/** The scopes of a delegated request. Throws EntraError. */
export function scopesFrom(scope: string | undefined): Scopes {
  const all = scope?.split(' ').filter(Boolean) ?? [];
  if (all.length === 0) {
    throw new EntraError(
      'invalid_request',
      900144,
      "The request body must contain the following parameter: 'scope'.",
    );
  }
  const named = all.filter((each) => !openidScopes.includes(each)).map((each) => resourceOf(each, scope));
  const audience = named[0]?.audience ?? graph;
  if (named.some((each) => each.audience !== audience)) {
    const message = `Provided value for the input parameter scope is not valid because it contains more than one resource.`;
    throw new EntraError('invalid_scope', 28000, message);
  }
  return {
    audience,
    permissions: [...new Set(named.flatMap(({ permissions }) => permissions))],
    openid: openidScopes.filter((each) => all.includes(each)),
  };
}

/** The scopes of a delegated v1 request, which names a resource. Throws EntraError. */
export function scopesOfResource(resource: string | undefined): Scopes {
  const audience = resource === undefined ? graph : audienceOfResource(resource);
  if (!audience) throw unknownResource(resource);
  return { audience, permissions: allPermissions, openid: openidScopes };
}

function resourceOf(scope: string, whole: string | undefined): { audience: string; permissions: string[] } {
  const audience = [...audiences, graphUrl].find((each) => scope.startsWith(`${each}/`));
  if (!audience && scope.includes('/')) {
    throw new EntraError('invalid_scope', 70011, `The provided value for scope ${whole} is not valid.`);
  }
  if (!audience || audience === graphUrl) return { audience: graph, permissions: [nameOf(scope)] };
  const permission = nameOf(scope);
  return { audience, permissions: permission === '.default' ? allPermissions : [permission] };
}

const nameOf = (scope: string): string => scope.slice(scope.lastIndexOf('/') + 1);

function unknownResource(resource: string | undefined): EntraError {
  const message = `The resource principal named ${resource} was not found in the tenant.`;
  return new EntraError('invalid_resource', 500011, message);
}
