import type { RequestHandler } from 'express';
import { type Placed, sameId } from '../content/content.js';
import type { Dataset, Report, Workspace } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { EffectiveIdentity } from '../embed/embed-token.js';
import type { Emulator } from '../emulator.js';
import type { Principal } from './bearer.js';
import { objectsIn } from './body-fields.js';
import { checkIdentityOf, readIdentities } from './effective-identity.js';
import { checkMayEmbed, expiryOf, issue, spendQuota } from './generate-token.js';
import { jsonBody } from './json-body.js';
import { entityNotFound, invalidRequest } from './power-bi-error.js';
import { checkGuid } from './rights.js';

const most = 50;

interface TokenRequest {
  reports: (Placed<Report> & { allowEdit: boolean })[];
  datasets: (Placed<Dataset> & { isQueryable: boolean })[];
  targets: Workspace[];
  identities: EffectiveIdentity[];
}

/** `POST /GenerateToken`: one token for several reports and datasets. */
export function generateTokenV2(emulator: Emulator): RequestHandler {
  return async (request, response) => {
    const principal = principalOf(response);
    const body = jsonBody(emulator, request);
    const requested = read(emulator, body);
    const expires = expiryOf(emulator, principal, body.lifetimeInMinutes);
    check(emulator, principal, requested);
    const charged = requested.reports.length > 0 ? requested.reports : requested.datasets;
    spendQuota(
      emulator,
      charged.map(({ workspace }) => workspace),
    );
    const token = await issue(emulator, principal, grantOf(requested), expires);
    response.json(token);
  };
}

function read(emulator: Emulator, body: Record<string, unknown>): TokenRequest {
  const reports = ids(emulator, body.reports, 'reports').map((entry) => {
    const found = emulator.content.findReport(entry.id);
    if (!found) throw entityNotFound(emulator);
    return { ...found, allowEdit: entry.allowEdit === true };
  });
  const datasets = ids(emulator, body.datasets, 'datasets').map(({ id, xmlaPermissions }) => {
    const found = emulator.content.findDataset(id);
    if (!found) throw entityNotFound(emulator);
    return { ...found, isQueryable: xmlaPermissions === 'ReadOnly' };
  });
  const targets = ids(emulator, body.targetWorkspaces, 'targetWorkspaces').map(({ id }) => {
    const found = emulator.content.findWorkspace(id);
    if (!found) throw entityNotFound(emulator);
    return found;
  });
  if (reports.length + datasets.length === 0 && emulator.guess('empty_token_request') === '400') {
    throw invalidRequest('At least one report or dataset is required');
  }
  checkDatasourceIdentities(body.datasourceIdentities);
  return { reports, datasets, targets, identities: readIdentities(body.identities) };
}

interface Entry {
  id: string;
  allowEdit?: unknown;
  xmlaPermissions?: unknown;
}

function ids(emulator: Emulator, value: unknown, name: string): Entry[] {
  const entries = objectsIn(value, name);
  if (entries.length > most) throw invalidRequest(`Parameter ${name} has more than ${most} entries`);
  return entries.map((entry) => ({ ...entry, id: checkGuid(emulator, entry.id, `${name}.id`) }));
}

/** For single sign-on sources; the emulator validates only their format. */
function checkDatasourceIdentities(value: unknown): void {
  if (value === undefined || value === null) return;
  const wellFormed =
    Array.isArray(value) &&
    value.every((each) => typeof each?.identityBlob === 'string' && Array.isArray(each.datasources));
  if (!wellFormed) throw invalidRequest('Parameter datasourceIdentities is missing or invalid');
}

function check(emulator: Emulator, principal: Principal, requested: TokenRequest): void {
  const mayEmbed = (workspace: Workspace) => checkMayEmbed(emulator, principal, workspace);
  for (const { workspace } of requested.reports) mayEmbed(workspace);
  for (const workspace of requested.targets) mayEmbed(workspace);
  const datasets = datasetsBehind(emulator, requested);
  for (const { workspace } of datasets) mayEmbed(workspace);
  checkPaginated(emulator, requested);
  for (const { item } of datasets) checkIdentityOf(emulator, principal, item, requested.identities);
}

/** A paginated report queries its dataset by XMLA. Without other reports, every dataset is one of a paginated report. */
function checkPaginated(emulator: Emulator, { reports, datasets }: TokenRequest): void {
  const paginated = reports.filter(({ item }) => item.reportType === 'PaginatedReport');
  const isOnlyPaginated = paginated.length > 0 && paginated.length === reports.length;
  const isSource = ({ item }: Placed<Dataset>) =>
    isOnlyPaginated || paginated.some((each) => sameId(each.item.datasetId, item.id));
  const refused = datasets.find((each) => isSource(each) && !each.isQueryable);
  if (refused === undefined || emulator.guess('paginated_without_xmla') !== '400') return;
  throw invalidRequest(`Dataset ${refused.item.id} requires xmlaPermissions ReadOnly for a paginated report`);
}

function datasetsBehind(emulator: Emulator, requested: TokenRequest): Placed<Dataset>[] {
  // If the request names datasets, a report may be bound to any of them (dynamic binding); otherwise its own dataset
  // applies.
  if (requested.datasets.length > 0) return requested.datasets;
  return requested.reports.flatMap(({ item }) => {
    const own = item.datasetId && emulator.content.findDataset(item.datasetId);
    if (!own) return [];
    if (emulator.guess('report_without_dataset') === '400') {
      throw invalidRequest(`Dataset ${own.item.id} of report ${item.id} is not included in the request`);
    }
    return [own];
  });
}

function grantOf(requested: TokenRequest) {
  return {
    reports: requested.reports.map(({ item, allowEdit }) => ({ id: item.id, allowEdit })),
    datasets: requested.datasets.map(({ item }) => item.id),
    targetWorkspaces: requested.targets.map(({ id }) => id),
    identities: requested.identities,
    access: requested.reports.some(({ allowEdit }) => allowEdit) ? ('Edit' as const) : ('View' as const),
  };
}
