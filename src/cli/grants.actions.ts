import type { INestApplicationContext } from '@nestjs/common';
import type { Principal } from '../core/http/principal.js';
import type { Holder, Target } from '../access/grants/grant.js';
import { toUuid } from '../core/validation/text.js';
import { ReportsService } from '../reports/reports.service.js';
import { UserNotFound } from '../users/users.errors.js';
import { SetMemberDto } from '../workspaces/dto/member.dto.js';
import { ListGrantsQuery, SetReportGrantDto, TargetGrantDto } from '../workspaces/dto/target-grant.dto.js';
import { ManagedWorkspacesService } from '../workspaces/managed-workspaces.service.js';
import { TargetGrantsService } from '../workspaces/target-grants.service.js';
import { everyPage, table } from './output.js';
import { action, validated } from './service.js';
import { readingActor, systemActor } from './system-actor.js';
import { findGroup, findReportId, findUserId, findWorkspaceId } from './targets.js';

interface Options {
  workspace?: string;
  report?: string;
  q?: string;
  user?: string;
  group?: string;
  role: string;
  expires?: string;
}

async function holderOf(app: INestApplicationContext, { user, group }: Options): Promise<Holder> {
  if (group !== undefined) return { type: 'group', id: (await findGroup(app, group)).id };
  const id = toUuid(await findUserId(app, user ?? ''));
  if (id === null) throw new UserNotFound();
  return { type: 'user', id };
}

/** The same operations for a workspace and for a report. */
async function grantsOn(app: INestApplicationContext, caller: Principal, { workspace, report }: Options) {
  const grants = app.get(TargetGrantsService);
  const reports = app.get(ReportsService);
  const target: Target =
    report === undefined
      ? { workspaceId: await findWorkspaceId(app, workspace ?? '') }
      : await reports.targetOf(caller, await findReportId(app, report));
  return {
    list: (query: ListGrantsQuery) => app.get(ManagedWorkspacesService).listGrants(caller, target, query),
    set: async (holder: Holder, body: object) =>
      grants.set(
        caller,
        target,
        holder,
        await validated(body, report === undefined ? SetMemberDto : SetReportGrantDto),
      ),
    remove: (holder: Holder) => grants.remove(caller, target, holder),
  };
}

const lineOf = ({ holder, role, source, expires_at }: TargetGrantDto) => ({
  ...holder,
  role,
  source,
  expires_at: expires_at?.toISOString() ?? null,
});

export const list = action(async (app, options: Options) => {
  const { list: page } = await grantsOn(app, readingActor, options);
  const query = Object.assign(new ListGrantsQuery(), { q: options.q });
  const grants = await everyPage((cursor) => page({ ...query, cursor }));
  const shown = grants.map(TargetGrantDto.from);
  const columns = ['type', 'id', 'name', 'email', 'role', 'source', 'expires_at'] as const;
  return [{ grants: shown }, table(shown.map(lineOf), columns)];
});

export const set = action(async (app, options: Options) => {
  const holder = await holderOf(app, options);
  const body = { role: options.role, expires_at: options.expires };
  const grants = await grantsOn(app, await systemActor(app), options);
  const granted = await grants.set(holder, body);
  return [TargetGrantDto.from(granted), `${granted.name} is ${granted.role}.`];
});

export const remove = action(async (app, options: Options) => {
  const holder = await holderOf(app, options);
  const grants = await grantsOn(app, await systemActor(app), options);
  await grants.remove(holder);
  return [holder, 'The grant is removed.'];
});
