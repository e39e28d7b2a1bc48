import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { comparable } from './support/client.js';
import { password } from './support/factory.js';
import { type Service, startService } from './support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const token = (body: unknown) => service.api.post('/api/auth/token', body);

describe('POST /api/auth/token with email and password', () => {
  test('JWT-14 AUTH-34 200: the token response, with no-store', async () => {
    const { email } = await service.factory.user();
    const response = await token({ email, password });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_in: 3600,
      token_type: 'Bearer',
      refresh_token: expect.stringMatching(/^[\w-]{70}$/),
      refresh_expires_in: 7 * 86_400,
    });
  });

  test('200: the token can be verified with the published keys and contains no role', async () => {
    const { id, email } = await service.factory.admin();
    const { access_token } = (await token({ email, password })).body;
    const jwks = await service.api.get<JSONWebKeySet & Record<string, unknown>>('/.well-known/jwks.json');
    const { payload, protectedHeader } = await jwtVerify(
      access_token as string,
      createLocalJWKSet(jwks.body),
      {
        issuer: 'https://vitrine.test',
        audience: 'vitrine',
      },
    );
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: 'test-1' });
    expect(Object.keys(payload).toSorted()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub']);
    expect(payload.sub).toBe(id);
    expect(payload.exp! - payload.iat!).toBe(3600);
  });

  test('AUTH-12 200: any spelling of the email address', async () => {
    const { email } = await service.factory.user({ email: 'ada@example.com' });
    expect((await token({ email: ' Ada@EXAMPLE.com ', password })).status).toBe(200);
    expect((await token({ email, password })).status).toBe(200);
  });

  test('200: the sign-in is recorded with the user and in the audit trail', async () => {
    const ada = await service.factory.user();
    await service.signIn(ada);
    const admin = await service.asAdmin();
    const { body } = await admin.get(`/api/users/${ada.id}`);
    expect(Date.parse(body.last_sign_in_at as string)).toBeGreaterThan(Date.now() - 60_000);
    const trail = await service.database.query(
      `SELECT outcome FROM audit_events WHERE action = 'signed_in' AND actor_id = $1`,
      [ada.id],
    );
    expect(trail).toEqual([{ outcome: 'allowed' }]);
  });

  test.each([
    ['nothing', {}, ['/email', '/password']],
    ['no password', { email: 'ada@example.com' }, ['/password']],
    ['an empty password', { email: 'ada@example.com', password: '' }, ['/password']],
    ['an invalid address', { email: 'ada', password }, ['/email']],
    ['an address that is a list', { email: ['ada@example.com'], password }, ['/email']],
    ['a password that is a number', { email: 'ada@example.com', password: 1 }, ['/password']],
    ['a password of megabytes', { email: 'ada@example.com', password: 'x'.repeat(600) }, ['/password']],
    ['a NUL in the password', { email: 'ada@example.com', password: 'a\0b' }, ['/password']],
    ['an unknown field', { email: 'ada@example.com', password, admin: true }, ['/admin']],
  ])('400: %s', async (_name, body, pointers) => {
    const response = await token(body);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const errors = response.body.errors as { pointer: string }[];
    expect([...new Set(errors.map(({ pointer }) => pointer))].toSorted()).toEqual(pointers);
  });

  test.each([[[]], ['"text"'], ['null'], ['7']])('400: a body that is not an object: %j', async (body) => {
    expect((await token(body)).status).toBe(400);
  });

  test('400: no body', async () => {
    expect(await service.api.post('/api/auth/token')).toMatchObject({ status: 400 });
  });

  test.each(['password', 'client', '__proto__', 'constructor', 7, null])(
    'AUTH-35 400: the grant type %j',
    async (grant_type) => {
      const response = await token({ grant_type, email: 'ada@example.com', password });
      expect(response).toMatchObject({ status: 400, body: { code: 'unsupported_grant_type' } });
      expect(response.body.detail).toContain('refresh_token, invitation');
    },
  );

  test('AUTH-01 401: the same response to a wrong password, an unknown address and a disabled account', async () => {
    const ada = await service.factory.user();
    const gone = await service.factory.user({ status: 'disabled' });
    const invited = await service.factory.user({ passwordHash: null });
    const responses = [
      await token({ email: ada.email, password: 'not the right password' }),
      await token({ email: 'nobody@example.com', password }),
      await token({ email: gone.email, password }),
      await token({ email: invited.email, password }),
    ].map(comparable);
    expect(responses[0]).toMatchObject({ status: 401, code: 'invalid_credentials' });
    for (const response of responses) expect(response).toEqual(responses[0]);
  });
});
