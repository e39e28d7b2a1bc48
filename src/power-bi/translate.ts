import { Problem } from '../core/problems/problem.js';
import type { ProblemCode } from '../core/problems/problem-catalogue.js';
import { MalformedResponse } from './response-parsers.js';
import { isFailureStatus, mayHaveArrived, upstreamCause, UpstreamError } from './upstream-error.js';

/** The operation that failed: the same status has different meanings. */
export type Operation = 'listing' | 'embedding' | 'exporting';

/** A dataset's identity requirement as revealed by an error response, which is as reliable as the dataset's flags. */
interface IdentityRequirement {
  identityRequired: boolean;
  identityRolesRequired?: boolean;
}

type Translation = [code: ProblemCode, detail: string];

/** Seconds until a retry after an outage for which the upstream sent no `Retry-After`. */
const OUTAGE_RETRY_AFTER = 10;

const unavailable: Translation = [
  'power_bi_unavailable',
  'Power BI is unavailable or returned an invalid response. Try again.',
];
const denied: Translation = [
  'power_bi_access_denied',
  'An administrator must give the service principal access to the workspace, or allow service principals in the tenant.',
];
const missing: Translation = [
  'power_bi_report_missing',
  'The report or its dataset no longer exists in Power BI.',
];

/** Power BI identifies identity errors of embed requests only by the message text, not by a code. */
const badRequests: [RegExp, Translation, IdentityRequirement?][] = [
  [
    /requires effective identity/i,
    ['power_bi_identity_required', 'An administrator must set the identity policy of the dataset.'],
    { identityRequired: true },
  ],
  [
    /requires roles/i,
    ['power_bi_identity_required', 'An administrator must add roles to the identity policy of the dataset.'],
    { identityRequired: true, identityRolesRequired: true },
  ],
  [
    /shouldn'?t have effective identity/i,
    ['power_bi_identity_refused', 'An administrator must remove the identity policy of the dataset.'],
    { identityRequired: false, identityRolesRequired: false },
  ],
  [
    /effective identity/i,
    ['power_bi_identity_refused', 'Power BI rejected the effective identity for the dataset.'],
  ],
];

/** Whether the tenant setting for service principals is off; a workspace role does not override it. */
export function isTenantSwitch(error: unknown): boolean {
  const { upstreamCode = '', upstreamMessage = '' } = upstreamCause(error)?.facts ?? {};
  return /TenantAdminSwitch/i.test(upstreamCode) || /not accessible for application/i.test(upstreamMessage);
}

/** The identity requirement that a failed embed request revealed; undefined when it revealed none. */
export function identityRequirement(error: unknown): IdentityRequirement | undefined {
  const { status, upstreamMessage = '' } = upstreamCause(error)?.facts ?? {};
  if (status !== 400) return undefined;
  return badRequests.find(([words]) => words.test(upstreamMessage))?.[2];
}

/** Whether Power BI may have started what a failed POST asked for, without a usable response. */
export function mayHaveStarted(error: unknown): boolean {
  const cause = upstreamCause(error);
  return cause?.facts.upstream === 'power_bi' && cause.facts.method === 'POST' && mayHaveArrived(cause);
}

const labelled: Translation = [
  'power_bi_label_refused',
  'The report has a sensitivity label that does not allow an export by the service.',
];
const withoutCapacity: Translation = [
  'power_bi_capacity_required',
  'Power BI exports reports only of workspaces on an active Premium, Embedded or Fabric capacity.',
];

/** Microsoft documents these refusals, but not their form. */
export function exportRefusal(code = '', message = ''): Translation | undefined {
  const text = `${code} ${message}`;
  if (/sensitivity ?label|information ?protection/i.test(text)) return labelled;
  return /capacity/i.test(text) ? withoutCapacity : undefined;
}

function badRequest(message: string): Translation {
  const known = badRequests.find(([words]) => words.test(message));
  return known?.[1] ?? ['power_bi_request_refused', 'Power BI rejected the request.'];
}

/** Power BI swaps the usual meanings: 401 means no access, 403 an invalid token or an exceeded quota. */
function translateResponse({ facts }: UpstreamError, operation: Operation): Translation {
  const { upstream, status, upstreamCode, upstreamMessage = '' } = facts;
  if (isFailureStatus(status)) return unavailable;
  if (upstream === 'entra') {
    return ['power_bi_access_denied', 'Entra rejected the credentials of the service.'];
  }
  const refusal = operation === 'exporting' ? exportRefusal(upstreamCode, upstreamMessage) : undefined;
  if (refusal !== undefined) return refusal;
  if (status === 400) return badRequest(upstreamMessage);
  if (status === 403 && /embed token.*capacit/is.test(upstreamMessage)) {
    return [
      'power_bi_capacity_exhausted',
      'Embedding requires that the workspace is on a capacity, or on a larger one.',
    ];
  }
  if (status === 404 && operation !== 'listing') return missing;
  if (status === 401 || status === 403 || status === 404) return denied;
  return ['power_bi_request_refused', 'Power BI rejected the request.'];
}

function translateNoResponse({ cause, facts, failure }: UpstreamError, operation: Operation): Translation {
  if (failure === 'too_large' && operation === 'exporting') {
    return ['export_too_large', 'The exported file exceeds the size limit. Export fewer pages.'];
  }
  if (!(cause instanceof MalformedResponse)) return unavailable;
  return ['power_bi_unavailable', cause.detailOf(facts.upstream === 'entra' ? 'Entra' : 'Power BI')];
}

/** Translates an upstream failure to a Problem; returns any other error (a disconnected client, a defect) unchanged. */
export function translate(error: unknown, operation: Operation): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const { failure, facts } = error;
  if (facts.status === 429) {
    return new Problem('power_bi_throttled', 'The request limit of Power BI is exceeded. Try again later.', {
      retryAfter: facts.retryAfter ?? OUTAGE_RETRY_AFTER,
      cause: error,
    });
  }
  const [code, detail] =
    failure === 'error_status' ? translateResponse(error, operation) : translateNoResponse(error, operation);
  const retryAfter = code === 'power_bi_unavailable' ? (facts.retryAfter ?? OUTAGE_RETRY_AFTER) : undefined;
  return new Problem(code, detail, { retryAfter, cause: error });
}
