import { Problem } from '../../core/problems/problem.js';

/** A grant that would keep the grantor's own right after its source has ended. */
export class OwnGrant extends Problem {
  constructor(why: string) {
    super('access_denied', `${why} Ask another manager or an administrator.`);
  }
}
