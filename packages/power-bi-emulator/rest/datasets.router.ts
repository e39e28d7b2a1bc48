import { Router, type Request, type RequestHandler, type Response } from 'express';
import { sameId } from '../content/content.js';
import type { Dataset, DatasetUser, Workspace } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { identifierOf } from './bearer.js';
import { datasetAt } from './dataset-access.js';
import { datasourcesOf, parametersOf, permissionOf } from './dataset-details.js';
import { jsonBody } from './json-body.js';
import { everywhere } from './my-workspace.js';
import { collection } from './odata.js';
import { entityNotFound, invalidRequest } from './power-bi-error.js';

const permissions = ['None', 'Read', 'ReadReshare', 'ReadExplore', 'ReadReshareExplore'];

/** Changes of datasets, their parameters, data sources and users. */
export function datasetsRouter(emulator: Emulator): Router {
  const router = Router();
  const dataset = '/datasets/:dataset';
  router.patch(everywhere(dataset), update(emulator));
  router.delete(everywhere(dataset), remove(emulator));
  router.post(`/groups/:group${dataset}/Default.TakeOver`, takeOver(emulator));
  router.get(everywhere(`${dataset}/datasources`), datasources(emulator));
  router.get(everywhere(`${dataset}/parameters`), parameters(emulator));
  router.post(everywhere(`${dataset}/Default.UpdateParameters`), updateParameters(emulator));
  router.get(everywhere(`${dataset}/users`), users(emulator));
  router.post(everywhere(`${dataset}/users`), putUser(emulator, { mustExist: false }));
  router.put(everywhere(`${dataset}/users`), putUser(emulator, { mustExist: true }));
  return router;
}

function editable(emulator: Emulator, request: Request, response: Response) {
  return datasetAt(emulator, request, response, emulator.guess('content_right'));
}

function update(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { workspace, dataset } = editable(emulator, request, response);
    const { targetStorageMode: mode, queryScaleOutSettings: scaleOut } = jsonBody(emulator, request);
    if (mode !== undefined && mode !== 'Abf' && mode !== 'PremiumFiles') {
      throw invalidRequest('Parameter targetStorageMode is missing or invalid');
    }
    if (scaleOut !== undefined && (typeof scaleOut !== 'object' || scaleOut === null)) {
      throw invalidRequest('Parameter queryScaleOutSettings is missing or invalid');
    }
    if (mode !== undefined) dataset.targetStorageMode = mode;
    if (scaleOut !== undefined) dataset.queryScaleOutSettings = { ...scaleOut };
    emulator.content.changed(workspace, emulator.clock.now().getTime());
    response.end();
  };
}

/** Deletes the reports of the dataset in the same workspace too, as Power BI does. */
function remove(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { workspace, dataset } = editable(emulator, request, response);
    workspace.datasets.splice(workspace.datasets.indexOf(dataset), 1);
    const bound = workspace.reports.filter(({ datasetId }) => sameId(datasetId, dataset.id));
    for (const report of bound) workspace.reports.splice(workspace.reports.indexOf(report), 1);
    emulator.content.changed(workspace, emulator.clock.now().getTime());
    response.end();
  };
}

function takeOver(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { dataset } = editable(emulator, request, response);
    dataset.configuredBy = identifierOf(principalOf(response));
    response.end();
  };
}

function datasources(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { dataset } = editable(emulator, request, response);
    response.json(collection(emulator, 'datasources', datasourcesOf(dataset)));
  };
}

function parameters(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { dataset } = editable(emulator, request, response);
    const value = parametersOf(dataset).map((each) => ({ ...each }));
    response.json(collection(emulator, 'mashupParameters', value));
  };
}

function updateParameters(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { dataset } = editable(emulator, request, response);
    const { updateDetails } = jsonBody(emulator, request);
    if (!Array.isArray(updateDetails) || updateDetails.length === 0 || updateDetails.length > 100) {
      throw invalidRequest('Parameter updateDetails is missing or invalid');
    }
    const changes = updateDetails.map((each: { name?: string; newValue?: string }) => {
      const parameter = parametersOf(dataset).find(({ name }) => name === each?.name);
      if (!parameter) throw invalidRequest(`The dataset has no parameter ${String(each?.name)}`);
      if (typeof each.newValue !== 'string') throw invalidRequest('Parameter newValue is missing or invalid');
      return { parameter, currentValue: each.newValue };
    });
    for (const { parameter, currentValue } of changes) Object.assign(parameter, { currentValue });
    response.end();
  };
}

function users(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { workspace, dataset } = shareable(emulator, request, response);
    const members = workspace.members.map((each) => ({
      identifier: each.identifier,
      principalType: each.principalType,
      datasetUserAccessRight: permissionOf[each.groupUserAccessRight],
    }));
    const own = (dataset.users ?? []).map((each) => ({ ...each }));
    response.json(collection(emulator, 'users', [...members, ...own]));
  };
}

function putUser(emulator: Emulator, { mustExist }: { mustExist: boolean }): RequestHandler {
  return (request, response) => {
    const { dataset } = shareable(emulator, request, response);
    const user = readUser(jsonBody(emulator, request));
    const others = (dataset.users ?? []).filter(({ identifier }) => !sameId(identifier, user.identifier));
    if (mustExist && others.length === (dataset.users ?? []).length) throw entityNotFound(emulator);
    dataset.users = user.datasetUserAccessRight === 'None' ? others : [...others, user];
    response.end();
  };
}

/** The reshare permission comes with the role Member. */
function shareable(
  emulator: Emulator,
  request: Request,
  response: Response,
): { workspace: Workspace; dataset: Dataset } {
  return datasetAt(emulator, request, response, 'Member');
}

function readUser({
  identifier,
  principalType,
  datasetUserAccessRight: right,
}: Record<string, unknown>): DatasetUser {
  if (typeof identifier !== 'string' || identifier === '') throw invalidUser('identifier');
  if (!['User', 'Group', 'App'].includes(String(principalType))) throw invalidUser('principalType');
  if (!permissions.includes(String(right))) throw invalidUser('datasetUserAccessRight');
  return {
    identifier,
    principalType: principalType as DatasetUser['principalType'],
    datasetUserAccessRight: String(right),
  };
}

function invalidUser(name: string): Error {
  return invalidRequest(`Parameter ${name} is missing or invalid`);
}
