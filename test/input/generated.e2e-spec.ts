import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { request as send } from 'undici';
import { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { responseErrors } from '../support/openapi-operations.js';
import type { Service } from '../support/service.js';
import { type SignIn, startSignIn } from '../support/sign-in.js';
import { isFull, PROPERTY_TIMEOUT_MS } from '../support/test-size.js';
import { type GeneratedRequest, requests } from './requests.js';
import { type GeneratedSignIn, signInRules, signIns, statusOf } from './sign-ins.js';

const COUNT = isFull ? 10_000 : 1000;
const AT_ONCE = 4;

let here: SignIn;
let service: Service;
let workspaces: Workspace[];
let ids: string[];
/** Nobody, and one for each of `roles`. */
const callers: (Client | null)[] = [];

type Role = 'admin' | 'manager' | 'viewer';
const roles: readonly Role[] = ['admin', 'manager', 'viewer'];

/** Somebody new: whoever guessed at their own password for too long cannot come back. */
async function enter(role: Role): Promise<Client> {
  const person = await (role === 'admin' ? service.factory.admin() : service.factory.user());
  if (role !== 'admin')
    for (const workspace of workspaces) await service.factory.grant(person, workspace, role);
  return service.as(person);
}

beforeAll(async () => {
  here = await startSignIn([], signInRules);
  service = here.service;
  await service.sync();
  const { factory, database } = service;
  workspaces = await database.getRepository(Workspace).find({ order: { reportCount: 'DESC' }, take: 3 });
  const found = async (table: string): Promise<string[]> =>
    (await database.query<{ id: string }[]>(`SELECT id FROM ${table} LIMIT 3`)).map(({ id }) => id);
  callers.push(null);
  for (const role of roles) callers.push(await enter(role));
  const bystander = await factory.user();
  const account = await (callers[1] as Client).post<{ id: string }>('/api/service-accounts', {
    name: 'Robot',
  });
  ids = [
    ...workspaces.map(({ id }) => id),
    ...(await found('reports')),
    ...(await found('datasets')),
    ...(await found('sync_runs')),
    bystander.id,
    account.body.id,
  ];
});
afterAll(() => here.close());

/** How many answers there were of each status: a generator that gets no further than a 400 shows nothing. */
const statuses = new Map<number, number>();

/** In place of who signed out, once however many requests were under way. */
const comingBack = new Map<number, Promise<Client>>();

async function comeBack(index: number, token: string | undefined): Promise<void> {
  if (callers[index]?.token !== token) return;
  const signedIn = comingBack.get(index) ?? enter(roles[index - 1] as Role);
  comingBack.set(index, signedIn);
  callers[index] = await signedIn;
  comingBack.delete(index);
}

const told = (request: GeneratedRequest | GeneratedSignIn): string =>
  JSON.stringify({ ...request, operation: undefined });

/** How many responses of each status the sign-ins had, by the way that their claims came. */
const signInStatuses = new Map<string, number>();

async function breachOfSignIn(generated: GeneratedSignIn): Promise<string | null> {
  const status = await statusOf(here, generated);
  const key = `${generated.via} ${status}`;
  signInStatuses.set(key, (signInStatuses.get(key) ?? 0) + 1);
  return status !== undefined && status >= 500 ? String(status) : null;
}

/** A file is broken off when its caller is disabled or gets another role meanwhile. */
const isBrokenOff = ({ headers, path }: GeneratedRequest, error: unknown): boolean =>
  (error as { code?: string }).code === 'UND_ERR_SOCKET' &&
  (/csv|ndjson/.test(String(headers.accept)) || path.includes('export'));

/** What is wrong with the answer; null when nothing is. */
async function breach(generated: GeneratedRequest): Promise<string | null> {
  try {
    return await breachOf(generated);
  } catch (error) {
    if (isBrokenOff(generated, error)) return null;
    throw error;
  }
}

async function breachOf(generated: GeneratedRequest): Promise<string | null> {
  const { operation, method, path, headers, body, caller } = generated;
  const index = caller % callers.length;
  const token = callers[index]?.token;
  const {
    statusCode: status,
    headers: sent,
    body: stream,
  } = await send(`${service.url}${path}`, {
    method: method as 'GET',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await stream.text();
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status === 401 && index > 0) await comeBack(index, token);
  if (status >= 500) return `${status} ${text}`;
  const contentType = String(sent['content-type'] ?? '');
  // A path that a value turned into another one is answered by another route.
  const isProblem = status >= 400 && contentType.startsWith('application/problem+json');
  if (!isProblem && !sameRoute(operation.path, path)) return null;
  const isDeclared = String(status) in operation.responses;
  if (mustBeDeclared.has(status) && sameRoute(operation.path, path) && !isDeclared)
    return `the status ${status} is not declared`;
  return status === 304 ? null : responseErrors(operation, { status, contentType, text });
}

/** Of them an operation declares those that it can have; `default` describes the rest. */
const mustBeDeclared = new Set([304, 403, 404, 409, 410]);

const sameRoute = (template: string, path: string): boolean => {
  const pattern = template.replaceAll(/\{\w+\}/g, '[^/?]+');
  const { pathname } = new URL(path, 'http://x');
  return (
    new RegExp(`^${pattern}$`).test(pathname) && !/\/(me|invite|revoke|explain|revocations)\b/.test(pathname)
  );
};

test(
  `ERR-03, IN-10: ${COUNT} generated requests: no 5xx, and every response matches openapi.json`,
  async () => {
    // Usually the same requests each time, so that a change fails only by its own defects.
    const seed = Number(process.env.SEED ?? (isFull ? Date.now() % 2 ** 31 : 1));
    const any = fc.oneof({ weight: 9, arbitrary: requests(ids) }, { weight: 1, arbitrary: signIns });
    const all = fc.sample<GeneratedRequest | GeneratedSignIn>(any, { numRuns: COUNT, seed });
    const breaches: string[] = [];
    const next = all.values();
    const worker = async (): Promise<void> => {
      for (const generated of next) {
        if (breaches.length > 5) return;
        const found = await ('via' in generated ? breachOfSignIn(generated) : breach(generated));
        if (found !== null) breaches.push(`SEED=${seed} ${told(generated)}: ${found}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(breaches).toEqual([]);
    // Of a few thousand none may be good enough to make something at once.
    const made = COUNT < 10_000 ? [] : [201, 202];
    const wanted = [200, ...made, 204, 400, 401, 403, 404, 415];
    expect([...statuses.keys()]).toEqual(expect.arrayContaining(wanted));
    const reached = ['callback 302', 'callback 403', 'exchange 200', 'exchange 403'];
    expect([...signInStatuses.keys()]).toEqual(expect.arrayContaining(reached));
    expect((await service.api.get('/readyz')).status).toBe(200);
  },
  PROPERTY_TIMEOUT_MS,
);
