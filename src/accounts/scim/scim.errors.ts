import { Problem } from '../../core/problems/problem.js';

/** RFC 7644, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'tooMany'
  | 'invalidValue';

/** A request that a SCIM client must change. */
export class ScimError extends Problem {
  constructor(
    readonly scimType: ScimType,
    detail: string,
  ) {
    super(scimType === 'uniqueness' ? 'conflict' : 'invalid_request', detail);
  }
}

/** Throws ScimError. */
export const invalid = (scimType: ScimType, detail: string): never => {
  throw new ScimError(scimType, detail);
};
