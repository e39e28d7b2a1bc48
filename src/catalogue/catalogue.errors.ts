import { QueryFailedError } from 'typeorm';
import { Problem, problem } from '../core/problems/problem.js';

export class DatasetNotFound extends problem('dataset_not_found', 'No dataset has this id.') {}

export class SyncNotFound extends problem('sync_not_found', 'No sync run has this id.') {}

/** SQLSTATE classes that fail again on every retry: bad data, a violated constraint, a program limit. */
const isAboutTheRow = /^(22|23|54)/;

const MAX_MESSAGE = 300;

export class WorkspaceNotStored extends Problem {
  /** Returns undefined for any other failure: the whole run is then retried. */
  static from(error: unknown): WorkspaceNotStored | undefined {
    if (!(error instanceof QueryFailedError)) return undefined;
    const { code = '', message } = error.driverError as { code?: string; message: string };
    if (!isAboutTheRow.test(code)) return undefined;
    const detail = `PostgreSQL rejected a row of this workspace (${code}): ${message.slice(0, MAX_MESSAGE)}`;
    return new WorkspaceNotStored('workspace_not_stored', detail, { cause: error });
  }
}
