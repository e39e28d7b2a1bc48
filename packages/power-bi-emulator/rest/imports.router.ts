import { randomUUID } from 'node:crypto';
import { Router, type RequestHandler } from 'express';
import { sameId } from '../content/content.js';
import type { Workspace } from '../content/model.js';
import { newJob, type ImportJob } from '../core/jobs.js';
import type { Emulator } from '../emulator.js';
import { editableWorkspace } from './dataset-access.js';
import { readImportRequest } from './import-request.js';
import { everywhere, workspaceAt } from './my-workspace.js';
import { collection, entity } from './odata.js';
import { entityNotFound } from './power-bi-error.js';
import { reportOf } from './presenters.js';
import { checkGuid } from './rights.js';

const HOUR = 3600 * 1000;

type Json = Record<string, unknown>;

/** Imports of files, which publish a report and its dataset. */
export function importsRouter(emulator: Emulator): Router {
  const router = Router();
  router.get(everywhere('/imports'), list(emulator));
  router.post(everywhere('/imports'), start(emulator));
  router.post(everywhere('/imports/createTemporaryUploadLocation'), createUpload(emulator));
  router.get(everywhere('/imports/:import'), get(emulator));
  return router;
}

function start(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = editableWorkspace(emulator, request, response);
    const requested = readImportRequest(emulator, request, workspace);
    const job: ImportJob = { ...newJob(emulator, randomUUID()), ...requested, workspaceId: workspace.id };
    emulator.jobs.imports.set(job.id, job);
    response.status(202).json(entity(emulator, 'imports', { id: job.id }));
  };
}

function list(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const mine = [...emulator.jobs.imports.values()].filter(({ workspaceId }) =>
      sameId(workspaceId, workspace.id),
    );
    response.json(
      collection(
        emulator,
        'imports',
        mine.map((each) => importView(emulator, workspace, each)),
      ),
    );
  };
}

function get(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    const job = emulator.jobs.imports.get(
      checkGuid(emulator, request.params.import, 'importId').toLowerCase(),
    );
    if (!job || !sameId(job.workspaceId, workspace.id)) throw entityNotFound(emulator);
    response.json(entity(emulator, 'imports', importView(emulator, workspace, job)));
  };
}

/** For files above 1 GB. The URL contains its own authorization, like a shared access signature. */
function createUpload(emulator: Emulator): RequestHandler {
  return (request, response) => {
    editableWorkspace(emulator, request, response);
    const id = randomUUID();
    const expires = emulator.clock.now().getTime() + HOUR;
    emulator.jobs.uploads.set(id, { expires, isComplete: false });
    const expirationTime = new Date(expires).toISOString();
    const url = `${emulator.url}/temporaryuploads/${id}?se=${encodeURIComponent(expirationTime)}&sp=rw`;
    response.json(entity(emulator, 'temporaryUploadLocation', { url, expirationTime }));
  };
}

export function importView(emulator: Emulator, workspace: Workspace, job: ImportJob): Json {
  const now = emulator.clock.now().getTime();
  const isFailed = job.fails && now >= job.ends;
  const { reportId, datasetId } = job.result ?? {};
  const datasets = workspace.datasets.filter(({ id }) => sameId(id, datasetId));
  const reports = workspace.reports.filter(({ id }) => sameId(id, reportId));
  return {
    id: job.id,
    importState: isFailed ? 'Failed' : job.result ? 'Succeeded' : 'Publishing',
    createdDateTime: new Date(job.started).toISOString(),
    updatedDateTime: new Date(Math.min(now, job.ends)).toISOString(),
    name: job.name,
    connectionType: 'import',
    source: 'Upload',
    datasets: datasets.map(({ id, name }) => ({
      id,
      name,
      webUrl: `https://app.powerbi.com/groups/${workspace.id}/datasets/${id}`,
    })),
    reports: reports.map((each) => {
      const { id, name, webUrl, embedUrl } = reportOf(emulator, workspace, each);
      return { id, name, webUrl, embedUrl };
    }),
  };
}
