import { randomUUID } from 'node:crypto';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Dataset } from '../content/model.js';
import { sameId } from '../content/content.js';
import { newJob, phaseOf, type RefreshJob } from '../core/jobs.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { jsonBody } from './json-body.js';
import { collection, count, entity } from './odata.js';
import { detailOf, historyOf } from './refresh-views.js';
import { entityNotFound, invalidRequest } from './power-bi-error.js';
import { checkRight, openDataset, openWorkspace } from './rights.js';

const shown = 60;

/** Dataset refreshes. Only an enhanced refresh can be read by id and cancelled. */
export function refreshesRouter(emulator: Emulator): Router {
  const router = Router();
  const refreshes = '/groups/:group/datasets/:dataset/refreshes';
  router.get(refreshes, list(emulator));
  router.post(refreshes, start(emulator));
  router.get(`${refreshes}/:refresh`, get(emulator));
  router.delete(`${refreshes}/:refresh`, cancel(emulator));
  return router;
}

function start(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const dataset = locate(emulator, request, response);
    const { notifyOption: _notify, ...enhanced } = jsonBody(emulator, request);
    const job = {
      ...newJob(emulator, randomUUID()),
      datasetId: dataset.id,
      enhanced: Object.keys(enhanced).length > 0,
      type: typeof enhanced.type === 'string' ? enhanced.type : 'Full',
      commitMode: typeof enhanced.commitMode === 'string' ? enhanced.commitMode : 'Transactional',
    };
    emulator.jobs.refreshes.set(job.id, job);
    if (job.enhanced) {
      const location = `${emulator.url}${request.originalUrl.split('?')[0]}/${job.id}`;
      response.set({ 'x-ms-request-id': job.id, Location: location });
    }
    response.status(202).end();
  };
}

function list(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { id } = locate(emulator, request, response);
    const top = count(request.query.$top, '$top') ?? shown;
    if (top < 1) throw invalidRequest('Parameter $top is missing or invalid');
    const mine = [...emulator.jobs.refreshes.values()].filter(({ datasetId }) => sameId(datasetId, id));
    const value = mine
      .toReversed()
      .slice(0, top)
      .map((each) => historyOf(emulator, each));
    response.json(collection(emulator, 'refreshes', value));
  };
}

function get(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const job = find(emulator, request, response);
    const running = ['NotStarted', 'Running'].includes(phaseOf(job, emulator.clock.now().getTime()));
    response.status(running ? 202 : 200).json(entity(emulator, 'refreshes', detailOf(emulator, job)));
  };
}

function cancel(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const job = find(emulator, request, response);
    const now = emulator.clock.now().getTime();
    if (now < job.ends) job.cancelled = now;
    response.end();
  };
}

function locate(emulator: Emulator, request: Request, response: Response): Dataset {
  const principal = principalOf(response);
  const workspace = openWorkspace(emulator, principal, request.params.group);
  checkRight(emulator, workspace, principal, emulator.guess('refresh_right'));
  return openDataset(emulator, workspace, request.params.dataset);
}

function find(emulator: Emulator, request: Request, response: Response): RefreshJob {
  const { id } = locate(emulator, request, response);
  const job = emulator.jobs.refreshes.get(String(request.params.refresh));
  if (!job?.enhanced || !sameId(job.datasetId, id)) throw entityNotFound(emulator);
  return job;
}
