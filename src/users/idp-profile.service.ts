import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../platform/audit/audit.service.js';
import { differences } from '../platform/audit/differences.js';
import { MAX_ATTRIBUTES } from '../core/validation/text.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { auditedChange } from './user-changes.js';
import { User } from './user.entity.js';
import { TooManyAttributes } from './users.errors.js';
import { lockActiveAdmins } from './users.queries.js';

/** Role and attributes that the provider's rules have set; only these are ever revoked. */
export interface Provided {
  role: 'admin' | null;
  attributes: Record<string, string>;
}

/** Current result of the rules. Null and `unknown` leave the value unchanged. */
interface ProvidedNow {
  admin: 'yes' | 'no' | 'unknown';
  attributes: Record<string, string | null>;
}

/** Role and attributes from the identity provider, alongside those set by admins. */
@Injectable()
export class IdpProfileService {
  constructor(
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
  ) {}

  /** Returns the role and attributes that the provider has set, to pass as `previous` to the next call. Throws TooManyAttributes. */
  async apply(tx: EntityManager, userId: string, previous: Provided, now: ProvidedNow): Promise<Provided> {
    const admins = mayDemote(previous, now.admin) ? await lockActiveAdmins(tx, userId) : [];
    const user = await tx.findOneOrFail(User, { where: { id: userId }, lock: { mode: 'pessimistic_write' } });
    const isLastAdmin = admins.length === 1 && admins[0] === userId;
    const role = roleOf(user, previous, isLastAdmin ? 'unknown' : now.admin);
    const { attributes, provided } = attributesOf(user, previous, now);
    const count = Object.keys(attributes).length;
    if (count > MAX_ATTRIBUTES && count > Object.keys(user.attributes).length) throw new TooManyAttributes();
    const changes = { role: role.role, attributes };
    const diff = differences(user, changes);
    if (Object.keys(diff).length > 0) {
      await tx.update(User, { id: userId }, changes);
      this.changes.publish(tx, 'rights', userId);
      await this.audit.record(tx, {
        action: 'user_changed',
        actorId: null,
        target: { type: 'user', id: userId },
        details: { source: 'provider', ...auditedChange(user, diff) },
      });
    }
    return { role: role.provided, attributes: provided };
  }
}

/** Whether `apply` may remove the role of an admin. It then locks all admins, and the user with them. */
export const mayDemote = (previous: Pick<Provided, 'role'>, admin: ProvidedNow['admin']): boolean =>
  admin === 'no' && previous.role === 'admin';

/** Revokes the role only if a rule granted it. */
function roleOf(
  { role }: User,
  previous: Provided,
  admin: ProvidedNow['admin'],
): { role: User['role']; provided: 'admin' | null } {
  if (admin === 'yes' && role === 'member') return { role: 'admin', provided: 'admin' };
  if (admin !== 'no' || previous.role !== 'admin') return { role, provided: previous.role };
  return { role: 'member', provided: null };
}

/** Writes only unset or provider-owned names, and removes only values that an admin has not changed since. */
function attributesOf(
  user: User,
  previous: Provided,
  now: ProvidedNow,
): { attributes: Record<string, string>; provided: Record<string, string> } {
  const attributes = { ...user.attributes };
  const provided: Record<string, string> = {};
  for (const name of new Set([...Object.keys(previous.attributes), ...Object.keys(now.attributes)])) {
    const isOurs = attributes[name] === undefined || attributes[name] === previous.attributes[name];
    const wanted = now.attributes[name] === null ? previous.attributes[name] : now.attributes[name];
    if (!isOurs) continue;
    if (wanted === undefined) delete attributes[name];
    else attributes[name] = provided[name] = wanted;
  }
  return { attributes, provided };
}
