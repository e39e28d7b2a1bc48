import type { INestApplicationContext } from '@nestjs/common';
import type { Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import { lockName } from '../core/database/locks.js';
import { ServiceUsersService } from '../users/service-users.service.js';
import { exitCodes, Failure } from './exit-codes.js';

/** For commands that only read, which must not create the account of the command line. */
export const readingActor: Principal = {
  id: '00000000-0000-0000-0000-000000000000',
  email: '',
  role: 'admin',
  sessionId: '',
};

/**
 * The actor of the command line: a service account without secret and creator, so that audit events, inviters and
 * creators reference a real account. Created by the first command that changes data. Throws Failure when an admin
 * disabled it.
 */
export async function systemActor(app: INestApplicationContext): Promise<Principal> {
  const account = await app.get(DatabaseService).transaction(async (tx) => {
    await lockName(tx, 'command line');
    const users = app.get(ServiceUsersService);
    const known = await users.findCommandLineAccount(tx);
    const name = 'Command line';
    return known ?? users.create(tx, { name, role: 'admin', scopes: [], attributes: {}, createdBy: null });
  });
  if (account.status === 'active') return { ...account, sessionId: '' };
  const detail = 'The service account "Command line" is disabled. Commands cannot make changes.';
  throw new Failure(exitCodes.refused, 'access_denied', detail);
}
