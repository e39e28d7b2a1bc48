import { createHmac, createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { Config } from '../src/config/config.js';
import type { User } from '../src/users/user.entity.js';
import { Client } from './support/client.js';
import { makeSigningKey } from './support/environment.js';
import { type Service, startService } from './support/service.js';

const header = { alg: 'RS256', typ: 'at+jwt', kid: 'test-1' };

let service: Service;
let key: JWK;
let ada: User;
let token: string;
let claims: JWTPayload;

beforeAll(async () => {
  service = await startService();
  key = service.app.get(Config).auth.signingKeys.read()[0] as JWK;
});
afterAll(() => service.close());

beforeEach(async () => {
  ada = await service.factory.user();
  token = (await service.as(ada)).token ?? '';
  claims = decodeJwt(token);
});

const me = (bearer: string) => new Client(service.url, bearer).get('/api/users/me');

const signed = async (change: object, head: object = {}, by: JWK = key): Promise<string> =>
  new SignJWT({ ...claims, ...change })
    .setProtectedHeader({ ...header, ...head })
    .sign(await importJWK(by, 'RS256'));

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an access token', () => {
  test('is good as it was issued, and as we sign it here', async () => {
    expect((await me(token)).status).toBe(200);
    expect((await me(await signed({}))).status).toBe(200);
  });

  test('is no good after an hour', async () => {
    service.clock.advance(3599);
    expect((await me(token)).status).toBe(200);
    service.clock.advance(60);
    expect((await me(token)).status).toBe(401);
  });

  test('is no good once the person is disabled', async () => {
    await service.database.query(`UPDATE users SET status = 'disabled' WHERE id = $1`, [ada.id]);
    expect((await me(token)).status).toBe(401);
  });

  test('is no good once the session has ended', async () => {
    await service.database.query('UPDATE sessions SET ended_at = now() WHERE user_id = $1', [ada.id]);
    expect((await me(token)).status).toBe(401);
  });

  test.each([
    ['for another audience', { aud: 'portal' }],
    ['for several audiences', { aud: ['vitrine', 'portal'] }],
    ['of another issuer', { iss: 'https://elsewhere.test' }],
    ['that lives longer than an hour', { exp: 4_102_444_800 }],
    ['without an end', { exp: undefined }],
    ['from the future', { iat: 4_102_444_800, exp: 4_102_445_000 }],
    ['without an id', { jti: undefined }],
    ['of nobody', { sub: undefined }],
    ['of somebody else', { sub: '01900000-0000-7000-8000-000000000000' }],
    ['of no session', { sid: 'x' }],
    ['of a session that never was', { sid: '01900000-0000-7000-8000-000000000000' }],
  ])('%s is refused', async (_name, change) => {
    expect((await me(await signed(change))).status).toBe(401);
  });

  test.each([
    ['of another type', { typ: 'JWT' }],
    ['without a type', { typ: undefined }],
    ['by a key that we do not have', { kid: 'test-2' }],
    ['by no key', { kid: undefined }],
    ['by the path of a key', { kid: '../../dev/null' }],
  ])('%s is refused', async (_name, head) => {
    expect((await me(await signed({}, head))).status).toBe(401);
  });

  test('that brings its own key is refused', async () => {
    const own = makeSigningKey('test-1');
    const jwk = createPublicKey({ key: own, format: 'jwk' }).export({ format: 'jwk' });
    expect((await me(await signed({}, { jwk }, own))).status).toBe(401);
  });

  test('without a signature, or signed with the public key as a secret, is refused', async () => {
    const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const none = `${part({ ...header, alg: 'none' })}.${part(claims)}.`;
    const body = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`;
    const mac = createHmac('sha256', pem).update(body).digest('base64url');
    expect((await me(none)).status).toBe(401);
    expect((await me(`${body}.${mac}`)).status).toBe(401);
  });

  test('with another subject under the same signature is refused', async () => {
    const [head, , signature] = token.split('.');
    expect((await me(`${head}.${part({ ...claims, role: 'admin' })}.${signature}`)).status).toBe(401);
  });

  test.each(['x', 'a.b', 'a.b.c', '....', `${'a'.repeat(5000)}.b.c`])('%.20s is none', async (text) => {
    expect((await me(text)).status).toBe(401);
  });

  test.each(['Basic YWRhOmFkYQ==', 'Bearer', 'bearer', ''])(
    '%j is no bearer header',
    async (authorization) => {
      expect((await service.api.get('/api/users/me', { authorization })).status).toBe(401);
    },
  );

  test('counts in the header only', async () => {
    expect((await service.api.get(`/api/users/me?access_token=${token}`)).status).toBe(401);
    expect((await service.api.get('/api/users/me', { cookie: `access_token=${token}` })).status).toBe(401);
  });
});

describe('GET /.well-known/jwks.json', () => {
  test('200: public parts only, to be kept for minutes', async () => {
    const { status, headers, body } = await service.api.get<{ keys: object[] }>('/.well-known/jwks.json');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(body.keys.map((each) => Object.keys(each).toSorted())).toEqual([
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ]);
  });
});
