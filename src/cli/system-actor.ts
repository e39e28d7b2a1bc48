import { IsNull } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { INestApplicationContext } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { Clock } from '../core/clock.js';
import type { Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import { placeholderEmail } from '../core/validation/email-address.js';
import { User } from '../users/user.entity.js';
import { exitCodes, Failure } from './exit-codes.js';

/**
 * The actor of the command line: a service account without secret and creator, so that audit events, inviters and
 * creators reference a real account. Created by the first command that changes data. Throws Failure when an admin
 * disabled it.
 */
export async function systemActor(app: INestApplicationContext): Promise<Principal> {
  const account = await app.get(DatabaseService).transaction(async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('command line'))`);
    const where = { kind: 'service', createdBy: IsNull(), removedAt: IsNull() } as const;
    const known = await tx.findOneBy(User, where);
    if (known !== null) return known;
    const id = uuidv7();
    const account = tx.create(User, {
      id,
      kind: 'service',
      email: placeholderEmail(id, 'service'),
      name: 'Command line',
      role: 'admin',
      status: 'active',
      passwordHash: null,
      attributes: {},
      createdAt: app.get(Clock).now(),
      createdBy: null,
      lastSignInAt: null,
      removedAt: null,
    });
    await tx.insert(User, account);
    await app.get(AuditService, { strict: false }).record(tx, {
      action: 'service_account_created',
      actorId: id,
      target: { type: 'service_account', id },
      details: { name: account.name, role: account.role },
    });
    return account;
  });
  if (account.status === 'active') return { ...account, sessionId: '' };
  const detail = 'An admin disabled the service account "Command line": it may change nothing.';
  throw new Failure(exitCodes.refused, 'access_denied', detail);
}
