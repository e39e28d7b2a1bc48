import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { bodyOf } from '../core/body.js';
import type { Fault } from '../core/faults.js';
import { guesses } from '../core/guesses.js';
import { Refusal } from '../core/refusal.js';
import { changed } from '../core/settings.js';
import type { Emulator } from '../emulator.js';
import { certificateFrom } from './certificate-from.js';
import { contentFrom } from './content-from.js';
import { faultFrom, patternFrom } from './fault-from.js';

/** Control API for tests and for manual trials of failures. */
export function controlRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/', (_request, response) => response.json(overview(emulator)));
  router.get('/calls', listCalls(emulator));
  router.delete('/calls', (_request, response) => response.status(204).end(emulator.calls.clear()));
  router.post('/faults', addFault(emulator));
  router.delete('/faults', (_request, response) => response.status(204).end(emulator.faults.clear()));
  router.get('/content', (_request, response) => response.json(emulator.content.toSeed()));
  router.post('/content', replaceContent(emulator));
  router.post('/certificates', addCertificate(emulator));
  router.post('/capacities', setCapacities(emulator));
  router.post('/reset', (_request, response) => response.status(204).end(emulator.reset()));
  router.post('/clock', moveClock(emulator));
  router.get('/settings', (_request, response) => response.json(emulator.settings));
  router.patch('/settings', changeSettings(emulator));
  router.get('/guesses', (_request, response) => response.json(listGuesses(emulator)));
  router.use(refuse);
  return router;
}

function listCalls(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { method, path } = request.query;
    const pattern = patternFrom(path);
    const calls = emulator.calls
      .list()
      .filter((call) => pattern.test(call.path) && (method === undefined || call.method === method));
    response.json({ calls });
  };
}

function addFault(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const fault: Fault = faultFrom(bodyOf(request));
    emulator.faults.add(fault);
    response.status(201).json(fault);
  };
}

function replaceContent(emulator: Emulator): RequestHandler {
  return (request, response) => {
    emulator.replaceContent(contentFrom(bodyOf(request)));
    response.json({ workspaces: emulator.content.workspaces.length });
  };
}

function addCertificate(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const certificate = certificateFrom(bodyOf(request));
    const principal = emulator.content.principals.find(({ clientId }) => clientId === certificate.client_id);
    if (!principal) throw new Refusal(`unknown client_id: ${certificate.client_id}`);
    principal.certificates.push(certificate.certificate);
    response.status(201).json({ certificates: principal.certificates.length });
  };
}

function setCapacities(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { state } = (bodyOf(request) ?? {}) as { state?: unknown };
    if (state !== 'Active' && state !== 'Suspended') throw new Refusal('state must be Active or Suspended');
    for (const capacity of emulator.content.capacities) capacity.state = state;
    response.json({ capacities: emulator.content.capacities });
  };
}

function moveClock(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { advance_seconds: seconds } = (bodyOf(request) ?? {}) as { advance_seconds?: unknown };
    if (typeof seconds !== 'number' || !Number.isFinite(seconds)) {
      throw new Refusal('advance_seconds must be a number');
    }
    emulator.clock.advance(seconds);
    response.json({ now: emulator.clock.now().toISOString() });
  };
}

function changeSettings(emulator: Emulator): RequestHandler {
  return (request, response) => {
    emulator.settings = changed(emulator.settings, bodyOf(request));
    response.json(emulator.settings);
  };
}

function overview(emulator: Emulator) {
  const { workspaces } = emulator.content;
  return {
    now: emulator.clock.now().toISOString(),
    calls: emulator.calls.list().length,
    content: {
      workspaces: workspaces.length,
      reports: workspaces.reduce((sum, { reports }) => sum + reports.length, 0),
      datasets: workspaces.reduce((sum, { datasets }) => sum + datasets.length, 0),
    },
  };
}

function listGuesses(emulator: Emulator) {
  const list = Object.entries(guesses).map(([name, guess]) => ({
    name,
    value: emulator.settings.guesses[name as keyof typeof guesses],
    ...guess,
  }));
  return { guesses: list };
}

const refuse: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof Refusal) response.status(400).json({ message: error.message });
  else next(error);
};
