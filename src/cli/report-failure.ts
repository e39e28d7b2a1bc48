import { databaseProblem } from '../core/problems/database-problem.js';
import { Problem } from '../core/problems/problem.js';
import { ConfigError } from '../core/config/environment.js';
import { messageOf } from './doctor/finding.js';
import { exitCodes, Failure } from './exit-codes.js';

interface FailureDescription {
  exitCode: number;
  code: string;
  detail: string;
}

function describe(error: unknown): FailureDescription {
  if (error instanceof Failure) return { ...error, exitCode: error.exitCode, detail: error.message };
  if (error instanceof ConfigError) {
    return { exitCode: exitCodes.usage, code: 'configuration', detail: error.message };
  }
  const problem = error instanceof Problem ? error : databaseProblem(error);
  if (problem === undefined) {
    return { exitCode: exitCodes.failed, code: 'internal_error', detail: (error as Error).message };
  }
  const exitCode = problem.entry.status === 503 ? exitCodes.unavailable : exitCodes.refused;
  // Distinguishes a wrong password or database from an outage.
  const reason =
    problem.code === 'database_unavailable' && problem.cause ? `${messageOf(problem.cause)}. ` : '';
  return { exitCode, code: problem.code, detail: `${reason}${problem.detail}` };
}

/** Prints the error to stderr and returns the exit code. */
export function reportFailure(error: unknown, json: boolean): number {
  const { exitCode, code, detail } = describe(error);
  console.error(json ? JSON.stringify({ error: { code, detail } }) : `${detail} (${code})`);
  return exitCode;
}
