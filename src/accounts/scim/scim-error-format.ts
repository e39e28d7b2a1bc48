import type { Problem } from '../../core/problems/problem.js';
import type { ProblemFormat } from '../../core/problems/problem.filter.js';
import { ScimError, type ScimType } from './scim.errors.js';

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

function scimTypeOf(problem: Problem): ScimType | undefined {
  if (problem instanceof ScimError) return problem.scimType;
  if (problem.entry.status === 409 && problem.code !== 'last_admin') return 'uniqueness';
  if (problem.code === 'malformed_json') return 'invalidSyntax';
  return problem.entry.status === 400 ? 'invalidValue' : undefined;
}

/** What an administrator of a provider can do about a rejected token. */
const details: Partial<Record<Problem['code'], string>> = {
  authentication_required: 'Send the secret of a service account, or its access token, as a bearer token.',
  access_denied: 'Use a service account with the scope scim.',
};

/** SCIM errors (RFC 7644, section 3.12). */
export const scimErrorFormat: ProblemFormat = {
  mediaType: 'application/scim+json',
  body: (problem) => ({
    schemas: [ERROR_SCHEMA],
    status: String(problem.entry.status),
    scimType: scimTypeOf(problem),
    detail: details[problem.code] ?? problem.detail,
  }),
};
