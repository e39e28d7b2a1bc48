import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../core/clock.js';
import { DatabaseService } from '../../../core/database/database.service.js';
import type { Offset, OffsetCondition } from '../../../core/lists/offset-page.js';
import type { Principal } from '../../../core/http/principal.js';
import { errorOf } from '../../../core/problems/database-problem.js';
import { Problem } from '../../../core/problems/problem.js';
import { toUuid } from '../../../core/validation/text.js';
import { UserSessionsService } from '../../../auth/sessions/user-sessions.service.js';
import {
  findSameName,
  findScimUser,
  listScimUsers,
  lockDeletedScimUser,
  lockScimUser,
  type ScimUser,
} from '../../../users/scim-users.queries.js';
import { lockActiveAdmins } from '../../../users/users.queries.js';
import { UsersService } from '../../../users/users.service.js';
import { ScimError } from '../scim.errors.js';
import { isFreed, type StoredValues, storedValues } from './user-changes.js';
import { asReplacement, type UserValues } from './user-draft.js';

type Actor = Pick<Principal, 'id'>;

const notFound = (): never => {
  throw new Problem('scim_resource_not_found', 'No user has this id.');
};

/** The id as the database writes it. Throws for an id that no user can have. */
const userId = (resourceId: string): string => toUuid(resourceId) ?? notFound();

/** People for SCIM clients: all of them, so that a client finds and adopts those who exist. */
@Injectable()
export class ScimUsersService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersService,
    private readonly accounts: UserSessionsService,
    private readonly clock: Clock,
  ) {}

  list(condition: OffsetCondition, page: Offset): Promise<{ total: number; items: ScimUser[] }> {
    return listScimUsers(this.database.manager, condition, page);
  }

  async get(resourceId: string): Promise<ScimUser> {
    return (await findScimUser(this.database.manager, userId(resourceId))) ?? notFound();
  }

  /** A person whom SCIM deleted becomes active again. Throws ScimError `uniqueness` if the person exists. */
  create(caller: Actor, values: UserValues): Promise<ScimUser> {
    return this.write(async (tx) => {
      const stored = storedValues(values);
      const same = await findSameName(tx, { ...stored, except: null });
      const [first] = same;
      if (same.length === 1 && first?.isDeleted === true) return this.revive(tx, caller, first.id, values);
      if (same.length > 0) throw taken();
      const user = { ...stored, role: 'member', passwordHash: null } as const;
      const { id } = await this.users.create(tx, user, caller);
      return this.read(tx, id);
    });
  }

  /** Throws UserNotFound, LastAdmin, and ScimError. */
  async change(caller: Actor, resourceId: string, values: UserValues): Promise<ScimUser> {
    const id = userId(resourceId);
    return this.write(async (tx) => {
      if (values.isActive === false) await lockActiveAdmins(tx, id);
      const before = (await lockScimUser(tx, id)) ?? notFound();
      const stored = await this.allowedValues(tx, values, before);
      // A status that stays must not lock all admins, which comes before the lock of the person.
      const { status, ...others } = stored;
      await this.accounts.updateIn(tx, caller, id, status === before.status ? others : stored);
      return this.read(tx, id);
    });
  }

  /** Disables the person, who then does not exist for SCIM. Throws UserNotFound, and LastAdmin. */
  async remove(caller: Actor, resourceId: string): Promise<void> {
    const id = userId(resourceId);
    await this.write(async (tx) => {
      await lockActiveAdmins(tx, id);
      if ((await lockScimUser(tx, id)) === undefined) notFound();
      await this.accounts.updateIn(tx, caller, id, {
        source: 'scim',
        status: 'disabled',
        scimDeletedAt: this.clock.now(),
      });
    });
  }

  /** Replaces the person as PUT does: whoever has the name now must not see the rows of a predecessor. */
  private async revive(tx: EntityManager, caller: Actor, id: string, values: UserValues): Promise<ScimUser> {
    if (values.isActive === false) await lockActiveAdmins(tx, id);
    const before = await lockDeletedScimUser(tx, id);
    // Entra ID freed the user name for another person, who must not get the access of this one.
    if (before === undefined || isFreed(before.userName, values.userName ?? '')) throw taken();
    const replacement = { ...asReplacement(values), isActive: values.isActive ?? true };
    const stored = await this.allowedValues(tx, replacement, before);
    await this.accounts.updateIn(tx, caller, id, { ...stored, scimDeletedAt: null });
    return this.read(tx, id);
  }

  /** What to store of an existing person. An address that only follows the user name stays if another person has it. */
  private async allowedValues(
    tx: EntityManager,
    values: UserValues,
    before: ScimUser,
  ): Promise<StoredValues> {
    const stored = storedValues(values, before);
    const isMoved = stored.email !== before.email;
    if (stored.userName === before.userName && !isMoved) return stored;
    if (isMoved && before.role === 'admin') throw adminAddress();
    if (!(await this.isTaken(tx, stored, before))) return stored;
    const unmoved = { ...stored, email: before.email };
    if (values.email !== undefined || !isMoved || (await this.isTaken(tx, unmoved, before))) throw taken();
    return unmoved;
  }

  private async isTaken(
    tx: EntityManager,
    { userName, email }: StoredValues,
    { id }: ScimUser,
  ): Promise<boolean> {
    return (await findSameName(tx, { userName, email, except: id })).length > 0;
  }

  private async read(tx: EntityManager, id: string): Promise<ScimUser> {
    return (await findScimUser(tx, id)) ?? notFound();
  }

  private async write<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      throw errorOf(error).code === '23505' ? taken() : error;
    }
  }
}

/** A password reset to a new address would take the account over. */
const adminAddress = (): ScimError =>
  new ScimError('mutability', 'The email address of an administrator cannot be changed by SCIM.');

const taken = (): ScimError =>
  new ScimError('uniqueness', 'A user with this userName or email address exists.');
