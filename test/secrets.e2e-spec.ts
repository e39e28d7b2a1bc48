import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { Canaries, dumpOf, signedToken } from './support/canaries.js';
import type { ApiResponse } from './support/client.js';
import { Client } from './support/client.js';
import { password } from './support/factory.js';
import { type ReplicaProcess, type ReplicaProcesses, startReplicaProcesses } from './support/replicas.js';
import { type Service, startService } from './support/service.js';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const canaries = new Canaries();
const links = new Canaries();
const random = (name: string): string =>
  canaries.plant(name, `${name} ${randomBytes(18).toString('base64')}`);
/** Proven to come through: what is not searched for would prove nothing. */
const sent = { email: 'canary.admin@example.com', agent: 'canary-agent/1.0' };

let service: Service;
let replicas: ReplicaProcesses;
let replica: ReplicaProcess;
let admin: Client;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_SIGN_IN_PER_IP: '0', LOG_LEVEL: 'debug' });
  const { environment } = service;
  canaries.plant('SECRET_KEY', environment.SECRET_KEY as string);
  canaries.plant('POWERBI_CLIENT_SECRET', demoTenant.clientSecret);
  const { keys } = JSON.parse(readFileSync(environment.JWT_KEYS_FILE as string, 'utf8')) as {
    keys: { d: string }[];
  };
  canaries.plant('signing key', keys[0]?.d as string);
  replicas = await startReplicaProcesses(service, 1);
  [replica] = replicas.all;
  canaries.plant("everybody's password", password);
  await service.factory.admin({ email: sent.email });
  admin = await signIn(sent.email, password);
});
afterAll(async () => {
  await replicas.close();
  await service.close();
});

/** Every token that an answer holds is a canary from then on. */
function plantTokens({ body }: ApiResponse<Tokens>, whose: string): Tokens {
  canaries.plant(`access token of ${whose}`, body.access_token);
  canaries.plant(`signature of ${whose}`, body.access_token.split('.')[2] as string);
  if (body.refresh_token !== undefined) canaries.plant(`refresh token of ${whose}`, body.refresh_token);
  return body;
}

const token = (body: unknown): Promise<ApiResponse<Tokens>> =>
  replica.api.post<Tokens>('/api/auth/token', body, { 'user-agent': sent.agent });

async function signIn(email: string, secret: string): Promise<Client> {
  return new Client(replica.url, plantTokens(await token({ email, password: secret }), email).access_token);
}

async function inviteAndAccept(email: string): Promise<Client> {
  await admin.post('/api/users/invite', { email, name: 'Ivy' }, { 'idempotency-key': 'canary-key' });
  await admin.post('/api/users/invite', { email, name: 'Ivy' }, { 'idempotency-key': 'canary-key' });
  const secret = links.plant('invitation', await service.mailbox.secretFor(email));
  const chosen = random('chosen password');
  const response = await token({ grant_type: 'invitation', invitation_token: secret, password: chosen });
  const tokens = plantTokens(response, email);
  const renewed = await token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  const api = new Client(replica.url, plantTokens(renewed, `${email}, renewed`).access_token);
  await token({ grant_type: 'refresh_token', refresh_token: `${tokens.refresh_token}x` });
  const current = { current_password: chosen, new_password: random('new password') };
  expect((await api.put('/api/users/me/password', current)).status).toBe(204);
  return api;
}

async function failInEveryWay(): Promise<void> {
  const secret = random('mistyped password');
  await token({ email: sent.email, password: secret });
  await token({ email: secret, password: secret, [secret]: secret });
  await token(`{"password": "${secret}`);
  await token(`{"p":${canaries.plant('unquoted password', 'hunter2hunter2')}}`);
  await token({ grant_type: 'password_reset', reset_token: random('made-up link'), password: secret });
  await token({ grant_type: 'invitation', invitation_token: random('made-up invitation'), password: secret });
  await token({ grant_type: 'client_credentials', client_id: 'x', client_secret: random('made-up client') });
  const thrown = new Client(replica.url, `${random('thrown away token').replaceAll(' ', '')}.x.y`);
  canaries.plant('thrown away', thrown.token as string);
  await thrown.get('/api/workspaces');
  const query = random('token in a query');
  await replica.api.get(`/api/workspaces?access_token=${encodeURIComponent(query)}`);
  await admin.get(`/api/workspaces?access_token=${encodeURIComponent(query)}`);
  await service.database.query('ALTER TABLE sync_runs RENAME TO hidden');
  expect((await admin.post('/api/syncs', undefined, { 'x-secret': secret })).status).toBe(500);
  await service.database.query('ALTER TABLE hidden RENAME TO sync_runs');
}

async function machines(): Promise<void> {
  const header = { 'idempotency-key': 'canary-machine' };
  const { body } = await admin.post<{ id: string; client_secret: string }>(
    '/api/service-accounts',
    { name: 'Nightly' },
    header,
  );
  canaries.plant('client secret', body.client_secret);
  const credentials = { client_id: body.id, client_secret: body.client_secret };
  plantTokens(await token({ grant_type: 'client_credentials', ...credentials }), 'a machine');
  const more = await admin.post<{ client_secret: string }>(
    `/api/service-accounts/${body.id}/secrets`,
    {},
    header,
  );
  canaries.plant('second client secret', more.body.client_secret);
}

async function embed(): Promise<void> {
  await service.sync();
  const { body } = await admin.get<{ reports: { id: string }[] }>('/api/reports');
  const responses = await Promise.all(
    body.reports
      .slice(0, 5)
      .map(({ id }) => admin.post<{ token?: string }>(`/api/reports/${id}/embed-token`)),
  );
  const tokens = responses.flatMap(({ body: { token: embedToken } }) => embedToken ?? []);
  expect(tokens.length).toBeGreaterThan(0);
  for (const [index, embedToken] of tokens.entries()) canaries.plant(`embed token ${index}`, embedToken);
}

test('OBS-04 logs, database and emails contain no secret of a complete run', async () => {
  const ivy = await inviteAndAccept('ivy@example.com');
  await machines();
  await failInEveryWay();
  await embed();
  await ivy.post('/api/auth/logout');
  await token({ grant_type: 'password_reset_request', email: sent.email });
  const resetSecret = await service.mailbox.secretFor(sent.email);
  const reset = {
    grant_type: 'password_reset',
    reset_token: resetSecret,
    password: random('reset password'),
  };
  expect((await token(reset)).status).toBe(204);
  const [log, dump] = [replica.output(), await dumpOf(service.environment.DATABASE_URL as string)];
  const { mails } = service.mailbox;
  expect(canaries.foundIn({ log, dump, mail: mails })).toEqual([]);
  // Not even one that no canary knows, such as Entra's.
  expect(`${log}${dump}${Buffer.concat(mails).toString()}`).not.toMatch(signedToken);
  expect(admin.token).toMatch(signedToken);
  // A link is in the mail to whom it is for, and nowhere else.
  links.plant('reset', resetSecret);
  expect(links.foundIn({ log, dump })).toEqual([]);
  expect(links.foundIn({ mail: mails })).toEqual(['invitation in mail', 'reset in mail']);
  // What was searched is what the run left behind.
  expect(log).toContain('POST 500');
  expect(dump).toContain(sent.email);
  expect(dump).toContain(sent.agent);
});
