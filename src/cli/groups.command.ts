import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { AddGroupMembersDto } from '../groups/dto/add-group-members.dto.js';
import { CreateGroupDto } from '../groups/dto/create-group.dto.js';
import { GroupMemberDto } from '../groups/dto/group-member.dto.js';
import { GroupDto } from '../groups/dto/group.dto.js';
import { ListGroupMembersQuery } from '../groups/dto/list-group-members.dto.js';
import { ListGroupsQuery } from '../groups/dto/list-groups.dto.js';
import { GroupRepairService } from '../groups/group-repair.service.js';
import { GroupMembersService } from '../groups/group-members.service.js';
import { GroupsService } from '../groups/groups.service.js';
import { findGroup, findUserId } from './holders.js';
import { commandLine, everyPage, print, table } from './output.js';
import { validated, withService } from './service.js';
import { systemActor } from './system-actor.js';

interface Options {
  json: boolean;
  q?: string;
  description?: string;
  effective: boolean;
  group: string[];
}

const groupsOf = (app: INestApplicationContext) => app.get(GroupsService, { strict: false });
const membersOf = (app: INestApplicationContext) => app.get(GroupMembersService, { strict: false });

/** Validates the ids of the users, like the body of the API. */
async function findMembers(
  app: INestApplicationContext,
  users: readonly string[],
  groups: readonly string[],
): Promise<AddGroupMembersDto> {
  const found = {
    users: await Promise.all(users.map((user) => findUserId(app, user))),
    groups: (await Promise.all(groups.map((group) => findGroup(app, group)))).map(({ id }) => id),
  };
  return validated(found, AddGroupMembersDto);
}

const list = new Command('list')
  .description('Lists groups')
  .option('--q <text>', 'filter by a part of the name')
  .action((_: object, command: Command) =>
    withService(async (app) => {
      const { json, q } = command.optsWithGlobals<Options>();
      const query = Object.assign(new ListGroupsQuery(), { q });
      const groups = await everyPage((cursor) => groupsOf(app).list(commandLine, { ...query, cursor }));
      const shown = groups.map(GroupDto.from);
      print(json, { groups: shown }, table(shown, ['id', 'name', 'source', 'member_count']));
    }),
  );

const create = new Command('create')
  .description('Creates a group')
  .argument('<name>')
  .option('--description <text>')
  .action((name: string, _: object, command: Command) =>
    withService(async (app) => {
      const { json, description } = command.optsWithGlobals<Options>();
      const body = await validated({ name, description }, CreateGroupDto);
      const group = await groupsOf(app).create(await systemActor(app), body);
      print(json, GroupDto.from(group), `${group.name} (${group.id}) is created.`);
    }),
  );

const remove = new Command('delete')
  .description('Deletes a group with its memberships and grants')
  .argument('<group>', 'name or id')
  .action((given: string, _: object, command: Command) =>
    withService(async (app) => {
      const group = await findGroup(app, given);
      await groupsOf(app).remove(await systemActor(app), group.id);
      print(command.optsWithGlobals<Options>().json, GroupDto.from(group), `${group.name} is deleted.`);
    }),
  );

const members = new Command('members')
  .description('Lists the direct members of a group')
  .argument('<group>', 'name or id')
  .option('--effective', 'list all people of the group and of the groups in it, with their paths', false)
  .action((given: string, _: object, command: Command) =>
    withService(async (app) => {
      const { json, effective } = command.optsWithGlobals<Options>();
      const { id } = await findGroup(app, given);
      const query = Object.assign(new ListGroupMembersQuery(), { effective });
      const found = await everyPage((cursor) => membersOf(app).list(commandLine, id, { ...query, cursor }));
      const shown = found.map(GroupMemberDto.from);
      const lines = shown.map(({ email = null, path, ...member }) => ({
        ...member,
        email,
        path: path?.join(' / ') || null,
      }));
      const columns = ['type', 'id', 'name', 'email', ...(effective ? (['path'] as const) : [])] as const;
      print(json, { members: shown }, table(lines, columns));
    }),
  );

const withMembers = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .argument('<group>', 'name or id')
    .argument('[users...]', 'emails of people, or ids of people and service accounts')
    .option(
      '--group <group>',
      'a group, by name or id; repeatable',
      (given, before: string[]) => [...before, given],
      [],
    );

const add = withMembers(
  'add',
  'Adds people, service accounts and groups to a group: all, or none if one fails',
).action((given: string, users: string[], _: object, command: Command) =>
  withService(async (app) => {
    const { json, group: groups } = command.optsWithGlobals<Options>();
    const { id } = await findGroup(app, given);
    const body = await findMembers(app, users, groups);
    await membersOf(app).addAll(await systemActor(app), id, body);
    const group = await groupsOf(app).get(id);
    print(json, GroupDto.from(group), `${group.name} has ${group.memberCount} members.`);
  }),
);

const take = withMembers('remove', 'Removes direct members from a group, one after the other').action(
  (given: string, users: string[], _: object, command: Command) =>
    withService(async (app) => {
      const { json, group: groups } = command.optsWithGlobals<Options>();
      const { id } = await findGroup(app, given);
      const body = await findMembers(app, users, groups);
      const actor = await systemActor(app);
      for (const user of body.users) await membersOf(app).removeUser(actor, id, user);
      for (const inner of body.groups) await membersOf(app).removeGroup(actor, id, inner);
      const group = await groupsOf(app).get(id);
      print(json, GroupDto.from(group), `${group.name} has ${group.memberCount} members.`);
    }),
);

const repair = new Command('repair')
  .description(
    'Recomputes which groups are in which through other groups; the doctor shows whether it is needed',
  )
  .action((_: object, command: Command) =>
    withService(async (app) => {
      const service = app.get(GroupRepairService, { strict: false });
      const result = await service.repair(await systemActor(app));
      const { groups, added, removed } = result;
      const text = `${groups} group(s) are checked: ${added} contained group(s) added, ${removed} removed.`;
      print(command.optsWithGlobals<Options>().json, result, text);
    }),
  );

export const groupsCommand = new Command('groups')
  .description('Manages groups')
  .addCommand(list)
  .addCommand(create)
  .addCommand(remove)
  .addCommand(members)
  .addCommand(add)
  .addCommand(take)
  .addCommand(repair);
