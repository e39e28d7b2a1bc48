import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { StartupTasks } from '../src/core/lifecycle/startup-tasks.service.js';
import { type Service, startService } from './support/service.js';

interface Health {
  status: string;
  checks: Record<string, { status: string; detail?: string }>;
}

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.powerBi.post('/__emulator/reset');
  // Answers of other systems are told again for a while.
  service.clock.advance(60);
});

describe('GET /api/health', () => {
  test('200: all checks pass', async () => {
    const member = await service.as(await service.factory.user());
    expect(await member.get('/api/health')).toMatchObject({
      status: 200,
      body: {
        status: 'ok',
        checks: {
          database: { status: 'ok' },
          jobs: { status: 'ok' },
          mail: { status: 'ok' },
          power_bi: { status: 'ok' },
        },
      },
    });
  });

  test('200: the checks are repeated after the clock of the server was set back', async () => {
    const now = async () => (await (await service.asAdmin()).get<Health>('/api/health')).body;
    expect(await now()).toMatchObject({ status: 'ok' });
    service.clock.advance(-3600);
    await service.powerBi.post('/__emulator/faults', { path: '.', status: 500 });
    const seen = await now();
    service.clock.advance(3600);
    expect(seen).toMatchObject({ status: 'degraded', checks: { power_bi: { status: 'down' } } });
  });

  test('200: degraded; only admins see the reason', async () => {
    const refused = await startService({ POWERBI_CLIENT_SECRET: 'expired', SMTP_URL: 'smtp://127.0.0.1:1' });
    try {
      const admin = await (await refused.asAdmin()).get<Health>('/api/health');
      const member = await (await refused.as(await refused.factory.user())).get<Health>('/api/health');
      expect(admin.body).toMatchObject({ status: 'degraded', checks: { database: { status: 'ok' } } });
      expect(admin.body.checks.mail?.detail).toContain('SMTP');
      expect(admin.body.checks.power_bi?.detail).toBeTruthy();
      expect(member.body.status).toBe('degraded');
      expect(JSON.stringify(member.body)).not.toContain('detail');
      expect(JSON.stringify(admin.body)).not.toContain('expired');
    } finally {
      await refused.close();
    }
  });

  test('200: degraded while the mail server greets and then says nothing', async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.write('220 mail.example.com\r\n');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const silent = await startService({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    try {
      const { status, body } = await (await silent.asAdmin()).get<Health>('/api/health');
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          status: 'degraded',
          checks: { mail: { status: 'degraded', detail: 'The SMTP server does not respond.' } },
        },
      });
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
      await silent.close();
    }
  });

  test('401: without a token', async () => {
    expect((await service.api.get('/api/health')).status).toBe(401);
  });
});

describe('GET /livez', () => {
  test('200: without a token, independent of other components, with no-store', async () => {
    const response = await service.api.get('/livez');
    expect(response).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('GET /readyz', () => {
  test('200: without a token', async () => {
    expect(await service.api.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  test('503: before startup is complete, and during shutdown', async () => {
    const isComplete = jest.spyOn(service.app.get(StartupTasks), 'isComplete', 'get').mockReturnValue(false);
    const response = await service.api.get('/readyz');
    isComplete.mockRestore();
    expect(response).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(response.headers.get('retry-after')).toBe('1');
    expect((await service.api.get('/readyz')).status).toBe(200);
  });
});
