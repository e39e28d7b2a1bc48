import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Service, startService } from './support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const token = (body: object) => service.api.post('/api/auth/token', body);
const preview = (secret: string) => service.api.post('/login/password-reset/preview', { token: secret });
const reset = (reset_token: string) =>
  token({ grant_type: 'password_reset', reset_token, password: 'violet lamp drinks tea' });

async function secretFor(email: string): Promise<string> {
  expect((await token({ grant_type: 'password_reset_request', email })).status).toBe(202);
  return service.mailbox.secretFor(email);
}

const invalid = { status: 400, body: { code: 'invalid_password_reset' } };

describe('POST /login/password-reset/preview', () => {
  test('200: whose password the link changes, without using the link', async () => {
    const { email } = await service.factory.user();
    const secret = await secretFor(email);
    const response = await preview(secret);
    expect(response).toMatchObject({ status: 200, body: { email } });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(Object.keys(response.body)).toEqual(['email']);
    expect((await reset(secret)).status).toBe(204);
  });

  test('400: an unknown secret', async () => {
    expect(await preview('c'.repeat(43))).toMatchObject(invalid);
  });

  test('400: a used link', async () => {
    const secret = await secretFor((await service.factory.user()).email);
    await reset(secret);
    expect(await preview(secret)).toMatchObject(invalid);
  });

  test('400: a disabled account', async () => {
    const { id, email } = await service.factory.user();
    const secret = await secretFor(email);
    await service.database.query(`UPDATE users SET status = 'disabled' WHERE id = $1`, [id]);
    expect(await preview(secret)).toMatchObject(invalid);
  });

  test('400: a missing secret', async () => {
    const { status, body } = await service.api.post('/login/password-reset/preview', {});
    expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ pointer: '/token' }] });
  });

  test('400: after 30 minutes', async () => {
    const secret = await secretFor((await service.factory.user()).email);
    service.clock.advance(30 * 60);
    expect(await preview(secret)).toMatchObject(invalid);
  });
});
