import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Dataset } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import { evaluate } from '../dax/evaluate.js';
import { modelOf, type DaxRow } from '../dax/model.js';
import { DaxError } from '../dax/tokens.js';
import { visibleRows } from '../embed/row-security.js';
import type { Emulator } from '../emulator.js';
import { datasetAt } from './dataset-access.js';
import { jsonBody } from './json-body.js';
import { entityNotFound, invalidRequest, notAuthorized, PowerBiError } from './power-bi-error.js';
import { checkGuid, checkRight, isVisible } from './rights.js';

/** Queries in DAX, of which the emulator understands a part. */
export function executeQueriesRouter(emulator: Emulator): Router {
  const router = Router();
  router.post('/groups/:group/datasets/:dataset/executeQueries', execute(emulator, inGroup));
  router.post('/datasets/:dataset/executeQueries', execute(emulator, anywhere));
  return router;
}

type Open = (emulator: Emulator, request: Request, response: Response) => Dataset;

const inGroup: Open = (emulator, request, response) =>
  datasetAt(emulator, request, response, emulator.guess('content_right')).dataset;

/** Unlike other routes without a workspace, this one is open to service principals. */
const anywhere: Open = (emulator, request, response) => {
  const principal = principalOf(response);
  const found = emulator.content.findDataset(checkGuid(emulator, request.params.dataset, 'datasetId'));
  if (!found) throw entityNotFound(emulator);
  if (!isVisible(emulator, found.workspace, principal)) throw notAuthorized();
  checkRight(emulator, found.workspace, principal, emulator.guess('content_right'));
  return found.item;
};

function execute(emulator: Emulator, open: Open): RequestHandler {
  return (request, response) => {
    const dataset = open(emulator, request, response);
    const { queries, serializerSettings, impersonatedUserName } = jsonBody(emulator, request);
    if (!Array.isArray(queries) || queries.length !== 1) {
      throw invalidRequest('A request must contain exactly one query');
    }
    const { query } = (queries[0] ?? {}) as { query?: unknown };
    if (typeof query !== 'string') throw invalidRequest('Parameter query is missing or invalid');
    const rows = result(emulator, dataset, query, impersonatedUserName);
    const { includeNulls } = (serializerSettings ?? {}) as { includeNulls?: unknown };
    const shown = includeNulls === true ? rows : rows.map(withoutNulls);
    response.json({ results: [{ tables: [{ rows: shown }] }] });
  };
}

/** Row-level security applies as for a user who is in all roles of the model. */
function result(emulator: Emulator, dataset: Dataset, query: string, username: unknown): DaxRow[] {
  const user = typeof username === 'string' && username !== '' ? username : undefined;
  if (
    dataset.isEffectiveIdentityRequired &&
    user === undefined &&
    emulator.guess('query_without_user') === '400'
  ) {
    throw queryFailed('The dataset has row-level security: impersonatedUserName is required.');
  }
  const identity = user === undefined ? undefined : { username: user, roles: dataset.roles };
  try {
    return evaluate(modelOf(dataset, visibleRows(dataset, identity)), query);
  } catch (error) {
    if (error instanceof DaxError) throw queryFailed(error.message);
    throw error;
  }
}

function withoutNulls(row: DaxRow): DaxRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

function queryFailed(message: string): PowerBiError {
  const code = 'DatasetExecuteQueriesError';
  const detail = (name: string, value: string) => ({ code: name, detail: { type: 1, value } });
  const details = [
    detail('DetailsMessage', `Failed to execute the DAX query. ${message}`),
    detail('AnalysisServicesErrorCode', '3239575574'),
  ];
  return new PowerBiError(400, { error: { code, 'pbi.error': { code, parameters: {}, details } } });
}
