import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { sameId } from '../content/content.js';
import { bodyOf } from '../core/body.js';
import type { Fault } from '../core/faults.js';
import { guesses } from '../core/guesses.js';
import { Refusal } from '../core/refusal.js';
import { changed } from '../core/settings.js';
import { demoPassword, demoTenant } from '../demo-tenant.js';
import { decide } from '../entra/device-code.js';
import { originOf } from '../entra/origin.js';
import type { Emulator } from '../emulator.js';
import { operations, servedOperations } from '../rest/operations.js';
import { certificateFrom } from './certificate-from.js';
import { contentFrom } from './content-from.js';
import { faultFrom, patternFrom } from './fault-from.js';

/** 100 years: later times do not fit into the responses. */
const MAX_SECONDS = 3_155_760_000;

/** Control API for tests and for manual trials of failures. */
export function controlRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/', (request, response) => response.json(overview(emulator, originOf(emulator, request))));
  router.get('/calls', listCalls(emulator));
  router.delete('/calls', (_request, response) => response.status(204).end(emulator.calls.clear()));
  router.post('/faults', addFault(emulator));
  router.post('/faults/release', (_request, response) => response.status(204).end(emulator.faults.release()));
  router.delete('/faults', (_request, response) => response.status(204).end(emulator.faults.clear()));
  router.get('/content', (_request, response) => response.json(emulator.content.toSeed()));
  router.post('/content', replaceContent(emulator));
  router.post('/certificates', addCertificate(emulator));
  router.post('/device-codes', decideDeviceCode(emulator));
  router.post('/capacities', setCapacities(emulator));
  router.post('/labels', setLabel(emulator));
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

function decideDeviceCode(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { user_code, username, decline } = (bodyOf(request) ?? {}) as Record<string, unknown>;
    if (typeof user_code !== 'string') throw new Refusal('user_code must be a text');
    if (username !== undefined && typeof username !== 'string') throw new Refusal('username must be a text');
    const result = decide(emulator, { user_code, username, decline });
    if (result !== 'decided') throw new Refusal(result.replace('_', ' '));
    response.status(204).end();
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

function setLabel(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { report_id: id, label } = (bodyOf(request) ?? {}) as { report_id?: unknown; label?: unknown };
    if (label !== null && typeof label !== 'string') throw new Refusal('label must be a text or null');
    const reports = emulator.content.workspaces.flatMap((workspace) => workspace.reports);
    const report = reports.find((each) => sameId(each.id, String(id)));
    if (!report) throw new Refusal(`unknown report_id: ${String(id)}`);
    report.sensitivityLabel = label ?? undefined;
    response.json({ report_id: report.id, label });
  };
}

function moveClock(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { advance_seconds: seconds } = (bodyOf(request) ?? {}) as { advance_seconds?: unknown };
    if (typeof seconds !== 'number' || !Number.isFinite(seconds)) {
      throw new Refusal('advance_seconds must be a number');
    }
    if (Math.abs(seconds) > MAX_SECONDS)
      throw new Refusal(`advance_seconds must be between ${-MAX_SECONDS} and ${MAX_SECONDS}`);
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

function overview(emulator: Emulator, address: string) {
  const { workspaces } = emulator.content;
  const { tenantId, clientId, clientSecret } = demoTenant;
  return {
    address,
    tenant: tenantId,
    client_id: clientId,
    client_secret: clientSecret,
    password: demoPassword,
    now: emulator.clock.now().toISOString(),
    calls: emulator.calls.list().length,
    operations: { served: servedOperations(emulator).map(({ id }) => id), total: operations.length },
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
