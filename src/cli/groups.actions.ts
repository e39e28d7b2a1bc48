import type { INestApplicationContext } from '@nestjs/common';
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
import { findGroup, findUserId } from './targets.js';
import { commandLine, everyPage, table } from './output.js';
import { action, validated } from './service.js';
import { systemActor } from './system-actor.js';

interface Options {
  q?: string;
  description?: string;
  effective: boolean;
  group: string[];
}

const groupsOf = (app: INestApplicationContext) => app.get(GroupsService);
const membersOf = (app: INestApplicationContext) => app.get(GroupMembersService);

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

export const list = action(async (app, { q }: Options) => {
  const query = Object.assign(new ListGroupsQuery(), { q });
  const groups = await everyPage((cursor) => groupsOf(app).list(commandLine, { ...query, cursor }));
  const shown = groups.map(GroupDto.from);
  return [{ groups: shown }, table(shown, ['id', 'name', 'source', 'member_count'])];
});

export const create = action(async (app, { description }: Options, name: string) => {
  const body = await validated({ name, description }, CreateGroupDto);
  const group = await groupsOf(app).create(await systemActor(app), body);
  return [GroupDto.from(group), `${group.name} (${group.id}) is created.`];
});

export const remove = action(async (app, _: object, given: string) => {
  const group = await findGroup(app, given);
  await groupsOf(app).remove(await systemActor(app), group.id);
  return [GroupDto.from(group), `${group.name} is deleted.`];
});

export const members = action(async (app, { effective }: Options, given: string) => {
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
  return [{ members: shown }, table(lines, columns)];
});

export const add = action(async (app, { group: groups }: Options, given: string, users: string[]) => {
  const { id } = await findGroup(app, given);
  const body = await findMembers(app, users, groups);
  await membersOf(app).addAll(await systemActor(app), id, body);
  const group = await groupsOf(app).get(id);
  return [GroupDto.from(group), `${group.name} has ${group.memberCount} members.`];
});

export const take = action(async (app, { group: groups }: Options, given: string, users: string[]) => {
  const { id } = await findGroup(app, given);
  const body = await findMembers(app, users, groups);
  const actor = await systemActor(app);
  for (const user of body.users) await membersOf(app).removeUser(actor, id, user);
  for (const inner of body.groups) await membersOf(app).removeGroup(actor, id, inner);
  const group = await groupsOf(app).get(id);
  return [GroupDto.from(group), `${group.name} has ${group.memberCount} members.`];
});

export const repair = action(async (app) => {
  const service = app.get(GroupRepairService);
  const result = await service.repair(await systemActor(app));
  const { groups, added, removed } = result;
  const text = `${groups} group(s) are checked: ${added} contained group(s) added, ${removed} removed.`;
  return [result, text];
});
