import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Dataset, RefreshSchedule } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import { refreshable } from './dataset-access.js';
import { jsonBody } from './json-body.js';
import { everywhere } from './my-workspace.js';
import { entity } from './odata.js';
import { invalidRequest } from './power-bi-error.js';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const notifications = ['NoNotification', 'MailOnFailure'];
const frequencies = [15, 30, 60, 120, 180];

type Json = Record<string, unknown>;

/** Refresh schedules: one kind for imported data, another for DirectQuery and live connections. */
export function schedulesRouter(emulator: Emulator): Router {
  const router = Router();
  const [refresh, query] = ['refreshSchedule', 'directQueryRefreshSchedule'];
  router.get(everywhere(`/datasets/:dataset/${refresh}`), get(emulator, imported, scheduleOf));
  router.patch(everywhere(`/datasets/:dataset/${refresh}`), update(emulator));
  router.get(everywhere(`/datasets/:dataset/${query}`), get(emulator, direct, directScheduleOf));
  router.patch(everywhere(`/datasets/:dataset/${query}`), updateDirect(emulator));
  return router;
}

type Open = (emulator: Emulator, request: Request, response: Response) => Dataset;

function get(emulator: Emulator, open: Open, view: (dataset: Dataset) => object): RequestHandler {
  return (request, response) => {
    const name = request.path.split('/').at(-1)!;
    response.json(entity(emulator, name, { ...view(open(emulator, request, response)) }));
  };
}

const imported: Open = (emulator, request, response) => {
  const dataset = refreshable(emulator, request, response);
  if (isDirect(dataset))
    throw invalidRequest('Invalid dataset. This API can only be called on a Model-based dataset');
  return dataset;
};

const direct: Open = (emulator, request, response) => {
  const dataset = refreshable(emulator, request, response);
  if (!isDirect(dataset)) throw invalidRequest('The dataset is not a DirectQuery dataset');
  return dataset;
};

function isDirect({ directQuery, liveConnection }: Dataset): boolean {
  return directQuery === true || liveConnection === true;
}

function scheduleOf({ refreshSchedule }: Dataset): RefreshSchedule {
  const none = { days: [], times: [], enabled: false, localTimeZoneId: 'UTC', notifyOption: 'MailOnFailure' };
  return refreshSchedule ?? none;
}

function directScheduleOf({ directQuerySchedule }: Dataset) {
  return directQuerySchedule ?? { frequency: 60, days: [], times: [], localTimeZoneId: 'UTC' };
}

/** A request that disables the schedule must contain no other change. */
function update(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const dataset = imported(emulator, request, response);
    const change = readChange(emulator, request, { enabled: isFlag, notifyOption: isOneOf(notifications) });
    if (change.enabled === false && Object.keys(change).length > 1) {
      throw invalidRequest('A request that disables the schedule must contain no other change');
    }
    dataset.refreshSchedule = { ...scheduleOf(dataset), ...change };
    response.end();
  };
}

/** A frequency replaces days and times, and they replace it. */
function updateDirect(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const dataset = direct(emulator, request, response);
    const change = readChange(emulator, request, { frequency: isOneOf(frequencies) });
    const { frequency: _frequency, ...timed } = directScheduleOf(dataset);
    const isFrequent = change.frequency !== undefined;
    if (isFrequent && (change.days ?? change.times) !== undefined) {
      throw invalidRequest('A schedule has either a frequency or days and times');
    }
    dataset.directQuerySchedule = isFrequent
      ? { ...timed, days: [], times: [], ...change }
      : { ...timed, ...change };
    response.end();
  };
}

type Rule = (value: unknown) => boolean;

function readChange(emulator: Emulator, request: Request, own: Record<string, Rule>): Json {
  const { value } = jsonBody(emulator, request) as { value?: Json };
  if (typeof value !== 'object' || value === null)
    throw invalidRequest('Parameter value is missing or invalid');
  const rules: Record<string, Rule> = {
    days: isListOf((day) => days.includes(String(day))),
    times: isListOf((time) => /^([01]\d|2[0-3]):[03]0$/.test(String(time))),
    localTimeZoneId: (zone) => typeof zone === 'string',
    ...own,
  };
  const wrong = Object.entries(value).find(
    ([name, each]) => !Object.hasOwn(rules, name) || rules[name]?.(each) !== true,
  );
  if (wrong) throw invalidRequest(`Parameter value.${wrong[0]} is invalid`);
  return value;
}

function isListOf(rule: Rule): Rule {
  return (value) => Array.isArray(value) && value.length > 0 && value.every(rule);
}

function isOneOf(allowed: unknown[]): Rule {
  return (value) => allowed.includes(value);
}

const isFlag: Rule = (value) => typeof value === 'boolean';
