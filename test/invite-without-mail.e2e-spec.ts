import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { password } from './support/factory.js';
import { type Service, startService } from './support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService({ SMTP_URL: '' });
});
afterAll(() => service.close());

describe('POST /api/users/invite without a mail server', () => {
  test('201: an admin gets the link, in this response only', async () => {
    const admin = await service.asAdmin();
    const { status, headers, body } = await admin.post('/api/users/invite', { email: 'ada@example.com' });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ delivery: 'not_configured' });
    const secret = /^https:\/\/vitrine\.test\/invitation#token=([\w-]+)$/.exec(
      body.accept_url as string,
    )?.[1];
    const grant = { grant_type: 'invitation', invitation_token: secret, password };
    expect((await service.api.post('/api/auth/token', grant)).status).toBe(200);
  });

  test('201: a manager gets no link', async () => {
    const sales = await service.factory.workspace();
    const manager = await service.asMember(sales, 'manager');
    const workspaces = [{ workspace_id: sales.id, role: 'viewer' }];
    const { status, body } = await manager.post('/api/users/invite', {
      email: 'eve@example.com',
      workspaces,
    });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('accept_url');
  });
});
