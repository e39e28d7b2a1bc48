import { Router, type RequestHandler } from 'express';
import type { Dataset, Workspace } from '../content/model.js';
import { type Placed, sameId } from '../content/content.js';
import { principalOf } from '../core/locals.js';
import type { EffectiveIdentity } from '../embed/embed-token.js';
import type { Emulator } from '../emulator.js';
import { checkIdentityOf, readIdentities } from './effective-identity.js';
import { checkMayEmbed, expiryOf, issue, spendQuota, type TokenContent } from './generate-token.js';
import { jsonBody } from './json-body.js';
import { entityNotFound, invalidRequest } from './power-bi-error.js';
import { checkGuid, openDataset, openReport, openWorkspace } from './rights.js';

const levels = ['View', 'Edit', 'Create'] as const;
type Level = (typeof levels)[number];

/** What a V1 call grants access to: one report, one dataset, or a report that is yet to be created. */
interface Target {
  workspace: Workspace;
  dataset?: Placed<Dataset> | undefined;
  reportId?: string;
  access: Level;
}

/** The V1 calls: a token for one item, identified by the path. */
export function generateTokenV1Router(emulator: Emulator): Router {
  const router = Router();
  router.post('/groups/:group/reports/GenerateToken', issuing(emulator, newReport));
  router.post('/groups/:group/reports/:report/GenerateToken', issuing(emulator, oneReport));
  router.post('/groups/:group/datasets/:dataset/GenerateToken', issuing(emulator, oneDataset));
  return router;
}

type Resolve = (emulator: Emulator, workspace: Workspace, params: Params, body: Body) => Target;
type Params = Record<string, string | string[]>;
type Body = Record<string, unknown>;

function issuing(emulator: Emulator, resolve: Resolve): RequestHandler {
  return async (request, response) => {
    const principal = principalOf(response);
    const workspace = openWorkspace(emulator, principal, request.params.group);
    const body = jsonBody(emulator, request);
    const target = resolve(emulator, workspace, request.params, body);
    const { dataset } = target;
    const identities = readOne(emulator, body.identities, dataset?.item);
    const expires = expiryOf(emulator, principal, body.lifetimeInMinutes);
    checkMayEmbed(emulator, principal, workspace);
    if (dataset) {
      checkMayEmbed(emulator, principal, dataset.workspace);
      checkIdentityOf(emulator, principal, dataset.item, identities);
    }
    spendQuota(emulator, [workspace]);
    response.json(await issue(emulator, principal, grantOf(target, identities), expires));
  };
}

function oneReport(emulator: Emulator, workspace: Workspace, params: Params, body: Body): Target {
  const report = openReport(emulator, workspace, params.report);
  const dataset = report.datasetId ? emulator.content.findDataset(report.datasetId) : undefined;
  return { workspace, dataset, reportId: report.id, access: levelOf(body) };
}

function newReport(emulator: Emulator, workspace: Workspace, _params: Params, body: Body): Target {
  if (levelOf(body) !== 'Create') throw invalidRequest('Parameter accessLevel is missing or invalid');
  const dataset = emulator.content.findDataset(checkGuid(emulator, body.datasetId, 'datasetId'));
  if (!dataset) throw entityNotFound(emulator);
  return { workspace, dataset, access: 'Create' };
}

function oneDataset(emulator: Emulator, workspace: Workspace, params: Params, body: Body): Target {
  const item = openDataset(emulator, workspace, params.dataset);
  return { workspace, dataset: { item, workspace }, access: levelOf(body) };
}

/** In any case: both .NET samples send `view`. */
export function levelOf({ accessLevel }: Body): Level {
  const wanted = accessLevel ?? 'View';
  const level = levels.find(
    (each) => typeof wanted === 'string' && each.toLowerCase() === wanted.toLowerCase(),
  );
  if (!level) throw invalidRequest('Parameter accessLevel is missing or invalid');
  return level;
}

/** V1 supports one identity, which must name the dataset. */
function readOne(emulator: Emulator, value: unknown, dataset: Dataset | undefined): EffectiveIdentity[] {
  const identities = readIdentities(value);
  if (identities.length > 1 && emulator.guess('v1_multiple_identities') === '400') {
    throw invalidRequest('Creating embed token with multiple identities is not supported');
  }
  const foreign = identities.some(({ datasets }) => !datasets?.some((id) => sameId(id, dataset?.id)));
  if (foreign && dataset) throw invalidRequest('DatasetId is required for any EffectiveIdentity');
  return identities;
}

function grantOf(
  { workspace, dataset, reportId, access }: Target,
  identities: EffectiveIdentity[],
): TokenContent {
  return {
    reports: reportId ? [{ id: reportId, allowEdit: access === 'Edit' }] : [],
    datasets: dataset ? [dataset.item.id] : [],
    targetWorkspaces: access === 'Create' ? [workspace.id] : [],
    identities,
    access,
  };
}
