import type { OpenAPIObject } from '#openapi';
import type { CallerLevel } from './openapi-callers.js';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Response = Exclude<Operation['responses'][string], { $ref: string } | undefined>;

const text = (description: string, more: object = {}) => ({
  description,
  schema: { type: 'string', ...more },
});

/** All headers of responses; the operations refer to them. */
export const responseHeaders = {
  'Content-Disposition': text('The name of the file'),
  ETag: text('Version of the response, for `If-None-Match`'),
  'Idempotency-Replayed': text('Present if the response is that of an earlier request with the same key', {
    enum: ['true'],
  }),
  Link: text('The next page, as `<path>; rel="next"` (RFC 8288). Absent on the last page'),
  Location: text('Path of the created resource'),
  RateLimit: text('What is left of each limit, as `"name";r=<requests>;t=<seconds>`'),
  'RateLimit-Policy': text('The limits, as `"name";q=<requests>;w=<seconds>`'),
  'Retry-After': { description: 'Seconds until a retry may succeed', schema: { type: 'integer' } },
  'Total-Count': text('With `count=true`, the number of items of all pages: up to `1000`, or `1000+`'),
  'WWW-Authenticate': text('The authentication scheme'),
  'X-Request-Id': text('Id of the request, as in the log and the audit trail'),
} as const;

type HeaderName = keyof typeof responseHeaders;

const withHeaders = (...names: (HeaderName | false)[]): Response['headers'] =>
  Object.fromEntries(
    names.filter((name) => name !== false).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

const limits = ['RateLimit', 'RateLimit-Policy'] as const;

const problem = (description: string, ...headers: HeaderName[]): Response => ({
  description,
  headers: withHeaders('X-Request-Id', ...headers),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' } } },
});

/** Responses of several operations, which refer to them. */
export const commonResponses = {
  NotModified: {
    description: 'The response has the `ETag` of `If-None-Match`',
    headers: withHeaders('X-Request-Id', ...limits, 'ETag'),
  },
  Invalid: problem('The request is malformed or has invalid values'),
  WrongCredentials: problem('The credentials are not valid', 'WWW-Authenticate'),
  Unauthenticated: problem('A valid access token is required', 'WWW-Authenticate'),
  Forbidden: problem('The caller may not do this; `detail` names what is required'),
  NotFound: problem('The resource does not exist, or the caller has no access to it'),
  Conflict: problem(
    'The request conflicts with the current state; `code` names the conflict. `Retry-After` is present if a retry may succeed',
    'Retry-After',
  ),
  Gone: problem('What is requested is no longer stored'),
  TooManyRequests: problem('A limit is exceeded', 'Retry-After', ...limits),
  Unavailable: problem(
    'Temporarily unavailable; `Retry-After` contains the seconds until a retry',
    'Retry-After',
  ),
  Other: problem('Any other problem; `code` identifies it'),
};

const refTo = (name: keyof typeof commonResponses) => ({ $ref: `#/components/responses/${name}` });

/** Parameters of several operations, which refer to them. */
export const commonParameters = {
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier response. If nothing has changed since, the status is 304.',
    required: false,
    schema: { type: 'string' },
  },
} as const;

/** Ids in the query or the body whose object may not exist; those of a path are found by `isNamed`. */
const namingRequests = new Set(['/api/access/explain', '/api/access/review', '/api/embed-grants/revoke']);

/** Reads for every signed-in caller that some may not do: the right to export may have ended. */
const restrictedReads = new Set(['/api/exports/{id}/file']);

/** What is deleted after some time. */
const expiring = new Set(['/api/events', '/api/exports/{id}/file', '/api/exports/{id}/tickets']);

/** Reads that depend on a state: a file that is not ready, people that are not stored. */
const conflictingReads = new Set([
  '/api/exports/{id}/file',
  '/api/usage/groups/{id}',
  '/api/usage/people/{id}',
]);

/** Routes whose 201 or 202 names what was created in `Location`. */
const locations = new Set([
  '/api/groups',
  '/api/reports/{id}/exports',
  '/api/reports/{id}/views',
  '/api/service-accounts',
  '/api/syncs',
  '/api/webhooks',
]);

interface Described {
  method: string;
  path: string;
  level: CallerLevel;
}

const hasParameter = ({ parameters = [] }: Operation, named: string): boolean =>
  parameters.some((parameter) => 'name' in parameter && parameter.name === named);

const hasETag = ({ responses }: Operation): boolean =>
  'ETag' in ((responses['200'] as Response | undefined)?.headers ?? {});

function addHeaders(operation: Operation, { method, path }: Described): void {
  const isPaged =
    hasParameter(operation, 'cursor') || hasParameter(operation, 'after') || path === '/api/users/me';
  const isAttachment = /\/(file|export)$/.test(path);
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response === undefined || '$ref' in response) continue;
    response.description ||= 'Success';
    const types = Object.keys(response.content ?? {});
    response.headers = withHeaders(
      'X-Request-Id',
      ...limits,
      isPaged && method === 'get' && 'Link',
      hasParameter(operation, 'count') && 'Total-Count',
      method === 'get' && types.includes('application/json') && !isAttachment && 'ETag',
      (types.includes('text/csv') || isAttachment) && 'Content-Disposition',
      status.startsWith('2') && method === 'post' && locations.has(path) && 'Location',
      hasParameter(operation, 'Idempotency-Key') && 'Idempotency-Replayed',
    );
  }
}

/** Adds the headers of all responses and the common problems, once instead of on every handler. */
export function completeResponses(operation: Operation, described: Described): void {
  addHeaders(operation, described);
  const { parameters = [], responses } = operation;
  const { method, path, level } = described;
  const isNamed = parameters.some((parameter) => 'in' in parameter && parameter.in === 'path');
  if (hasETag(operation)) {
    responses['304'] = refTo('NotModified');
    operation.parameters = [...parameters, { $ref: '#/components/parameters/If-None-Match' }];
  }
  responses['400'] = refTo('Invalid');
  responses['401'] = refTo(level === 'anyone' ? 'WrongCredentials' : 'Unauthenticated');
  if (method !== 'get' || level !== 'member' || restrictedReads.has(path))
    responses['403'] = refTo('Forbidden');
  if (isNamed || namingRequests.has(path)) responses['404'] = refTo('NotFound');
  if (method !== 'get' || conflictingReads.has(path)) responses['409'] = refTo('Conflict');
  if (expiring.has(path)) responses['410'] = refTo('Gone');
  responses['429'] = refTo('TooManyRequests');
  responses['503'] = refTo('Unavailable');
  responses.default = refTo('Other');
}
