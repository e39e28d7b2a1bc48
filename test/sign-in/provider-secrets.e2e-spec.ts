import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoClient } from '../../local/identity-provider.js';
import { Canaries, dumpOf, signedToken } from '../support/canaries.js';
import { type ReplicaProcess, type ReplicaProcesses, startReplicaProcesses } from '../support/replicas.js';
import {
  exchangeToken,
  goAs,
  loginUrl,
  newProof,
  person,
  type SignIn,
  startSignIn,
} from '../support/sign-in.js';
import { HttpBrowser } from '../support/http-browser.js';

const canaries = new Canaries();
const planted: string[] = [];

let here: SignIn;
let replicas: ReplicaProcesses;
let replica: ReplicaProcess;

function plant(name: string, secret: string): string {
  planted.push(name);
  return canaries.plant(name, secret);
}

/** What the provider answers to the service: nobody else ever sees it. */
function plantAnswers(): void {
  here.provider.provider.on('grant.success', ({ body }: { body: unknown }) => {
    for (const [name, value] of Object.entries(body as Record<string, unknown>)) {
      if (name.endsWith('token')) plant(`${name} of the provider`, String(value));
    }
  });
}

beforeAll(async () => {
  const rules = { rules: [{ name: 'All', when: { email_domains: ['vitrine.example'] }, admit: true }] };
  here = await startSignIn([person('ada'), person('ben')], rules, { LOG_LEVEL: 'debug' });
  canaries.plant('client secret', demoClient.clientSecret);
  plantAnswers();
  replicas = await startReplicaProcesses(here.service, 1);
  [replica] = replicas.all;
});
afterAll(async () => {
  await replicas.close();
  await here.close();
});

/** The whole way through the replica; every secret that the browser carries is a canary. */
async function signIn(sub: string): Promise<string> {
  const origin = new URL(here.provider.issuer).origin;
  const browser = new HttpBrowser({ 'https://vitrine.test': replica.url, [origin]: origin });
  const request = browser.request.bind(browser);
  browser.request = async (address, init) => {
    const url = new URL(address);
    const code = url.pathname === '/login/callback' ? url.searchParams.get('code') : null;
    if (code !== null) plant('code of the provider', code);
    const page = await request(address, init);
    for (const [name, value] of browser.cookies('https://vitrine.test')) plant(`cookie ${name}`, value);
    return page;
  };
  const proof = newProof();
  plant('verifier', proof.verifier);
  const page = await goAs(browser, sub, loginUrl(proof));
  const code = plant('our code', page.url.searchParams.get('code') ?? '');
  const body = { grant_type: 'authorization_code', code, code_verifier: proof.verifier };
  const { body: tokens } = await replica.api.post<{ refresh_token: string }>('/api/auth/token', body);
  await replica.api.post('/api/auth/token', body);
  return plant('our refresh token', tokens.refresh_token);
}

async function exchange(): Promise<void> {
  const claims = { sub: 'ben', email: 'ben@vitrine.example', email_verified: true };
  for (const more of [{}, { aud: 'another' }]) {
    const subject_token = plant(
      `subject token ${JSON.stringify(more)}`,
      await here.signed({ ...claims, ...more }),
    );
    await exchangeToken(replica.api, subject_token, 'id_token');
  }
}

test('OBS-04 log and database contain no secret of a provider sign-in', async () => {
  await signIn('ada');
  await exchange();
  const bad = plant('made-up code', randomBytes(32).toString('base64url'));
  await fetch(`${replica.url}/login/callback?code=${bad}&state=${'x'.repeat(43)}`);
  const [log, dump] = [replica.output(), await dumpOf(here.service.environment.DATABASE_URL as string)];
  expect(canaries.foundIn({ log, dump })).toEqual([]);
  expect(`${log}${dump}`).not.toMatch(signedToken);
  // What was looked for was there to be found, and what was searched is what the run left behind.
  for (const name of ['access_token', 'refresh_token', 'id_token']) {
    expect(planted).toContain(`${name} of the provider`);
  }
  expect(planted).toContain('code of the provider');
  expect(log).toContain('/login/callback');
  expect(dump).toContain('ada@vitrine.example');
  expect(dump).toContain('ben@vitrine.example');
});
