import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { AddGroupMembersDto, GroupMemberDto } from '../access/groups/dto/group-member.dto.js';
import {
  CreateGroupDto,
  GroupDto,
  ListGroupMembersQuery,
  ListGroupsQuery,
} from '../access/groups/dto/group.dto.js';
import { GroupRepairService } from '../access/groups/group-repair.service.js';
import { GroupMembersService } from '../access/groups/group-members.service.js';
import { GroupsService } from '../access/groups/groups.service.js';
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

export const list = (command: Command): Promise<void> =>
  withService(async (app) => {
    const { json, q } = command.optsWithGlobals<Options>();
    const query = Object.assign(new ListGroupsQuery(), { q });
    const groups = await everyPage((cursor) => groupsOf(app).list(commandLine, { ...query, cursor }));
    const shown = groups.map(GroupDto.from);
    print(json, { groups: shown }, table(shown, ['id', 'name', 'source', 'member_count']));
  });

export const create = (name: string, command: Command): Promise<void> =>
  withService(async (app) => {
    const { json, description } = command.optsWithGlobals<Options>();
    const body = await validated({ name, description }, CreateGroupDto);
    const group = await groupsOf(app).create(await systemActor(app), body);
    print(json, GroupDto.from(group), `${group.name} (${group.id}) is created.`);
  });

export const remove = (given: string, command: Command): Promise<void> =>
  withService(async (app) => {
    const group = await findGroup(app, given);
    await groupsOf(app).remove(await systemActor(app), group.id);
    print(command.optsWithGlobals<Options>().json, GroupDto.from(group), `${group.name} is deleted.`);
  });

export const members = (given: string, command: Command): Promise<void> =>
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
  });

export const add = (given: string, users: string[], command: Command): Promise<void> =>
  withService(async (app) => {
    const { json, group: groups } = command.optsWithGlobals<Options>();
    const { id } = await findGroup(app, given);
    const body = await findMembers(app, users, groups);
    await membersOf(app).addAll(await systemActor(app), id, body);
    const group = await groupsOf(app).get(id);
    print(json, GroupDto.from(group), `${group.name} has ${group.memberCount} members.`);
  });

export const take = (given: string, users: string[], command: Command): Promise<void> =>
  withService(async (app) => {
    const { json, group: groups } = command.optsWithGlobals<Options>();
    const { id } = await findGroup(app, given);
    const body = await findMembers(app, users, groups);
    const actor = await systemActor(app);
    for (const user of body.users) await membersOf(app).removeUser(actor, id, user);
    for (const inner of body.groups) await membersOf(app).removeGroup(actor, id, inner);
    const group = await groupsOf(app).get(id);
    print(json, GroupDto.from(group), `${group.name} has ${group.memberCount} members.`);
  });

export const repair = (command: Command): Promise<void> =>
  withService(async (app) => {
    const service = app.get(GroupRepairService, { strict: false });
    const result = await service.repair(await systemActor(app));
    const { groups, added, removed } = result;
    const text = `${groups} group(s) are checked: ${added} contained group(s) added, ${removed} removed.`;
    print(command.optsWithGlobals<Options>().json, result, text);
  });
