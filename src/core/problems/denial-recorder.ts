import type { Request } from 'express';
import type { Problem } from './problem.js';

/**
 * Records denied requests before their response is sent. The audit feature implements it, because `core` imports no
 * feature.
 */
export abstract class DenialRecorder {
  /** Never throws: a failure to record must not change the response. */
  abstract recordProblem(problem: Problem, request: Request): Promise<void>;
}
