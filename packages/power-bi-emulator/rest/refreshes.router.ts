import { randomUUID } from 'node:crypto';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { sameId } from '../content/content.js';
import { newJob, phaseOf, refreshesOf, type RefreshJob } from '../core/jobs.js';
import type { Emulator } from '../emulator.js';
import { everywhere } from './my-workspace.js';
import { jsonBody } from './json-body.js';
import { collection, count, entity } from './odata.js';
import { detailOf, historyOf } from './refresh-views.js';
import { entityNotFound, invalidRequest } from './power-bi-error.js';
import { checkMayRefresh } from './refresh-limits.js';
import { refreshable } from './dataset-access.js';

const shown = 60;

/** Dataset refreshes. Only an enhanced refresh can be read by id and cancelled. */
export function refreshesRouter(emulator: Emulator): Router {
  const router = Router();
  router.get(everywhere('/datasets/:dataset/refreshes'), list(emulator));
  router.post(everywhere('/datasets/:dataset/refreshes'), start(emulator));
  router.get(everywhere('/datasets/:dataset/refreshes/:refresh'), get(emulator));
  router.delete(everywhere('/datasets/:dataset/refreshes/:refresh'), cancel(emulator));
  return router;
}

function start(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const dataset = refreshable(emulator, request, response);
    checkMayRefresh(emulator, dataset);
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
    const dataset = refreshable(emulator, request, response);
    const top = count(request.query.$top, '$top') ?? shown;
    if (top < 1) throw invalidRequest('Parameter $top is missing or invalid');
    const value = refreshesOf(emulator, dataset)
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

function find(emulator: Emulator, request: Request, response: Response): RefreshJob {
  const { id } = refreshable(emulator, request, response);
  const job = emulator.jobs.refreshes.get(String(request.params.refresh));
  if (!job?.enhanced || !sameId(job.datasetId, id)) throw entityNotFound(emulator);
  return job;
}
