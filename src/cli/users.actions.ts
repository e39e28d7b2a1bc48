import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { PersonalExportService } from '../accounts/personal-export.service.js';
import { PasswordSignInDisabled } from '../auth/auth.errors.js';
import { PasswordChangesService } from '../auth/passwords/password-changes.service.js';
import { UserSessionsService } from '../auth/sessions/user-sessions.service.js';
import { Config } from '../core/config/config.js';
import { cleanAddress } from '../core/validation/email-address.js';
import { validId } from '../core/validation/path-id.js';
import { Problem } from '../core/problems/problem.js';
import { DatabaseService } from '../core/database/database.service.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { InviteUserDto } from '../invitations/dto/invite-user.dto.js';
import { ListUsersQuery, UpdateUserDto, UserDto } from '../users/dto/user.dto.js';
import type { User } from '../users/user.entity.js';
import { PasswordsService } from '../users/passwords.service.js';
import { UserNotFound } from '../users/users.errors.js';
import { lockActiveUser } from '../users/users.queries.js';
import { UsersService } from '../users/users.service.js';
import { commandLine, everyPage, table } from './output.js';
import { action, validated, withService } from './service.js';
import { systemActor } from './system-actor.js';

interface Options {
  name?: string;
  role?: 'admin' | 'member';
  status?: 'active' | 'disabled';
  passwordStdin?: boolean;
}

const columns = ['id', 'email', 'name', 'role', 'status', 'last_sign_in_at'] as const;

export const list = action(async (app, { role, status }: Options) => {
  const query = Object.assign(new ListUsersQuery(), { role, status });
  const users = await everyPage((cursor) => app.get(UsersService).list(commandLine, { ...query, cursor }));
  const shown = users.map(UserDto.from);
  return [{ users: shown }, table(shown, columns)];
});

/** From standard input, or a generated one. */
const newPassword = async (fromInput = false): Promise<string> =>
  fromInput ? (await text(process.stdin)).replace(/\r?\n$/, '') : randomBytes(18).toString('base64url');

export const create = action(async (app, { passwordStdin, ...given }: Options, address: string) => {
  const body = { email: address, name: given.name, role: given.role };
  const { email, role, name = email.replace(/@.*/, '') } = await validated(body, InviteUserDto);
  const users = app.get(UsersService);
  if ((await users.findByEmail(email)) !== null)
    throw new Problem('conflict', 'An account with this email address already exists.');
  const password = await newPassword(passwordStdin);
  const passwordHash = await app.get(PasswordsService).hash(password, { email, name });
  const actor = await systemActor(app);
  const user = await app
    .get(DatabaseService)
    .transaction((tx) => users.create(tx, { email, name, role, passwordHash }, actor));
  const shown = { ...UserDto.from({ ...user, lastSignInAt: null }), ...(!passwordStdin && { password }) };
  const effect = app.get(Config).passwordSignIn
    ? `can sign in${passwordStdin ? '' : ` with ${password}`}.`
    : 'can sign in after an admin has linked an identity (PASSWORD_SIGN_IN=false).';
  return [shown, `${user.email} (${user.id}) ${effect}`];
});

/** The person with this email address or id. Throws UserNotFound. */
async function personOf(app: INestApplicationContext, who: string): Promise<User> {
  const users = app.get(UsersService);
  const user = who.includes('@')
    ? await users.findByEmail(cleanAddress(who))
    : await users.find(validId(who));
  if (user?.kind !== 'person') throw new UserNotFound();
  return user;
}

export const setPassword = action(async (app, { passwordStdin }: Options, who: string) => {
  if (!app.get(Config).passwordSignIn) throw new PasswordSignInDisabled();
  const user = await personOf(app, who);
  const password = await newPassword(passwordStdin);
  const passwordHash = await app.get(PasswordsService).hash(password, user);
  const { id: by } = await systemActor(app);
  await app.get(JobsService).start();
  await app.get(DatabaseService).transaction(async (tx) => {
    if (!(await lockActiveUser(tx, user.id))) throw new Problem('conflict', 'This user is disabled.');
    const change = { userId: user.id, passwordHash, action: 'password_reset', by } as const;
    await app.get(PasswordChangesService).apply(tx, change);
  });
  const shown = { ...UserDto.from(user), ...(!passwordStdin && { password }) };
  const effect = passwordStdin ? 'is set' : `is ${password}`;
  return [shown, `The password of ${user.email} ${effect}. All sessions have ended.`];
});

export const disable = action(async (app, _: object, who: string) => {
  const user = await personOf(app, who);
  const actor = await systemActor(app);
  const changed = await app.get(UserSessionsService).update(actor, user.id, { status: 'disabled' });
  return [UserDto.from(changed), `${changed.email} is disabled.`];
});

export const changeEmail = action(async (app, _: object, who: string, address: string) => {
  const { email } = await validated({ email: address }, UpdateUserDto);
  const user = await personOf(app, who);
  const actor = await systemActor(app);
  await app.get(JobsService).start();
  const changed = await app.get(UserSessionsService).update(actor, user.id, { email });
  const isMoved = changed.email !== user.email;
  const effect = isMoved ? 'Open links are void.' : 'Nothing changed.';
  const text = `The email address of ${changed.name} is ${changed.email}. ${effect}`;
  return [UserDto.from(changed), text];
});

export const exportData = (who: string): Promise<void> =>
  withService(async (app) => {
    const { id } = await personOf(app, who);
    const actor = await systemActor(app);
    const chunks = app.get(PersonalExportService).export(actor, id);
    await pipeline(chunks, process.stdout, { end: false });
  });
