import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

describe('a transaction that PostgreSQL ends to resolve a deadlock', () => {
  /** The first `count` changes of this user end in a deadlock. */
  async function deadlocks(userId: string, count: number): Promise<void> {
    await service.database.query(
      `CREATE SEQUENCE provoked;
       CREATE FUNCTION provoke() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
       BEGIN
         IF nextval('public.provoked') <= ${count} THEN
           RAISE EXCEPTION 'provoked' USING ERRCODE = 'deadlock_detected';
         END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER provoke BEFORE UPDATE ON users FOR EACH ROW WHEN (OLD.id = '${userId}')
       EXECUTE FUNCTION provoke()`,
    );
  }
  afterEach(async () => {
    await service.database.query(
      `DROP TRIGGER provoke ON users; DROP FUNCTION provoke; DROP SEQUENCE provoked`,
    );
  });

  test('is repeated once, without a trace', async () => {
    const { id } = await service.factory.user();
    await deadlocks(id, 1);
    const { status, body } = await admin.patch(`/api/users/${id}`, { status: 'disabled' });
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'disabled' } });
    const events = await service.database.query('SELECT action FROM audit_events WHERE target_id = $1', [id]);
    expect(events).toEqual([{ action: 'user_disabled' }]);
  });

  test('is a 503 with Retry-After the second time', async () => {
    const { id } = await service.factory.user();
    await deadlocks(id, 2);
    const { status, body, headers } = await admin.patch(`/api/users/${id}`, { status: 'disabled' });
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(headers.get('retry-after')).toBe('1');
    expect((await admin.patch(`/api/users/${id}`, { status: 'disabled' })).status).toBe(200);
  });
});
