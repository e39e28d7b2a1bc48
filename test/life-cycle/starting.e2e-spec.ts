import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterEach, expect, test } from '@jest/globals';
import { freePort } from '../../local/free-port.js';
import { StartupTasks } from '../../src/core/lifecycle/startup-tasks.service.js';
import { listenOnly } from '../support/application.js';
import { TestClock } from '../support/clock.js';
import { createDatabase, createEmptyDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { lockTable } from '../support/table-lock.js';

let app: NestExpressApplication;
let cleanUp: () => Promise<unknown> = () => Promise.resolve();

afterEach(async () => {
  await app.close();
  await cleanUp();
});

async function listenOn(databaseUrl: string): Promise<string> {
  const environment = environmentFor({ databaseUrl, emulatorUrl: 'http://127.0.0.1:9' });
  app = await listenOnly(environment, new TestClock());
  return app.getUrl();
}

const requests: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/'],
  ['GET', '/docs'],
  ['GET', '/openapi.json'],
  ['GET', '/embed.js'],
  ['GET', '/login'],
  ['GET', '/api/health'],
  ['GET', '/api/workspaces'],
  ['GET', '/api/no-such-route'],
  ['POST', '/api/auth/token'],
  ['POST', '/api/portal/session'],
  ['POST', '/api/users/invite'],
  ['GET', '/scim/v2/Users'],
  ['GET', '/.well-known/jwks.json'],
];

/** Whether the service is alive, not ready, and refuses every other request with the time of the next attempt. */
async function expectStarting(url: string): Promise<void> {
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  for (const [method, path] of requests) {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: 'Bearer a.b.c', 'Content-Type': 'application/json' },
      body: method === 'POST' ? '{}' : undefined,
    });
    const { status, headers } = response;
    expect({ path, status, retryAfter: headers.get('retry-after') }).toEqual({
      path,
      status: 503,
      retryAfter: '2',
    });
    const text = await response.text();
    expect(text).toContain('The service is starting.');
  }
}

test('without its database it refuses every request with 503 and Retry-After', async () => {
  await expectStarting(await listenOn(`postgres://127.0.0.1:${await freePort()}/none`));
});

test('with pending migrations it refuses every request with 503 and Retry-After', async () => {
  const database = await createEmptyDatabase();
  cleanUp = () => database.drop();
  await expectStarting(await listenOn(database.url));
});

test('until the job queue has started it refuses every request with 503 and Retry-After', async () => {
  const database = await createDatabase();
  const lock = await lockTable(database.url, 'pgboss.version');
  cleanUp = () => database.drop();
  const url = await listenOn(database.url);
  await lock.blocks('pgboss');
  await expectStarting(url);
  await lock.release();
  await app.get(StartupTasks).completed();
  expect((await fetch(`${url}/api/workspaces`)).status).toBe(401);
});
