import type { Request } from 'express';
import type { Problem } from './problem.js';

/** Told of each refusal that is answered. The trail implements it; this folder knows no feature. */
export abstract class DenialRecorder {
  /** Never throws: a refusal stays a refusal when it cannot be written down. */
  abstract recordProblem(problem: Problem, request: Request): Promise<void>;
}
