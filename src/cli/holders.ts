import type { INestApplicationContext } from '@nestjs/common';
import { cleanAddress } from '../core/validation/email-address.js';
import { toUuid } from '../core/validation/text.js';
import { GroupNotFound } from '../access/groups/groups.errors.js';
import type { CountedGroup } from '../access/groups/groups.queries.js';
import { GroupsService } from '../access/groups/groups.service.js';
import { UserNotFound } from '../users/users.errors.js';
import { UsersService } from '../users/users.service.js';

/** Finds a group by name or id. Throws GroupNotFound. */
export async function findGroup(app: INestApplicationContext, given: string): Promise<CountedGroup> {
  const groups = app.get(GroupsService);
  const id = toUuid(given);
  if (id !== null) return groups.get(id);
  const group = await groups.findByName(given);
  if (group === null) throw new GroupNotFound();
  return group;
}

/** Returns the id of the user with this email address, or what is given as an id. Throws UserNotFound. */
export async function findUserId(app: INestApplicationContext, given: string): Promise<string> {
  if (!given.includes('@')) return given;
  const user = await app.get(UsersService).findByEmail(cleanAddress(given));
  if (user === null) throw new UserNotFound();
  return user.id;
}
