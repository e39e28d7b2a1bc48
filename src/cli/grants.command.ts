import type { INestApplicationContext } from '@nestjs/common';
import { Command, InvalidArgumentError } from 'commander';
import { isUUID } from 'class-validator';
import type { Principal } from '../core/http/principal.js';
import type { Holder } from '../grants/grant.js';
import { ReportGrantsService } from '../reports/report-grants.service.js';
import { UserNotFound } from '../users/users.errors.js';
import { SetMemberDto } from '../workspaces/dto/set-member.dto.js';
import { ListGrantsQuery, SetReportGrantDto, TargetGrantDto } from '../workspaces/dto/target-grant.dto.js';
import { ListedGrantsService } from '../workspaces/listed-grants.service.js';
import { TargetGrantsService } from '../workspaces/target-grants.service.js';
import { findGroup, findUserId } from './holders.js';
import { everyPage, print, table } from './output.js';
import { validated, withService } from './service.js';
import { readingActor, systemActor } from './system-actor.js';

interface Options {
  json: boolean;
  workspace?: string;
  report?: string;
  q?: string;
  user?: string;
  group?: string;
  role: string;
  expires?: string;
}

function idOf(given: string): string {
  if (!isUUID(given, 'all')) throw new InvalidArgumentError('It must be an id.');
  return given;
}

/** Adds the options that name a workspace or a report. */
const onTarget = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option('--workspace <id>', 'the workspace', idOf)
    .option('--report <id>', 'a single report, in place of a workspace', idOf);

/** Adds the options that name a target and a holder. */
const ofHolder = (name: string, description: string): Command =>
  onTarget(name, description)
    .option('--user <email or id>', 'a person or service account')
    .option('--group <name or id>', 'a group, in place of a user');

function requireOne(command: Command, options: Options, first: keyof Options, second: keyof Options): void {
  if ((options[first] === undefined) === (options[second] === undefined))
    command.error(`error: use either --${first} or --${second}`, { exitCode: 2 });
}

async function holderOf(app: INestApplicationContext, { user, group }: Options): Promise<Holder> {
  if (group !== undefined) return { type: 'group', id: (await findGroup(app, group)).id };
  const id = await findUserId(app, user ?? '');
  if (!isUUID(id, 'all')) throw new UserNotFound();
  return { type: 'user', id };
}

/** The same operations for a workspace and for a report. */
function grantsOn(app: INestApplicationContext, caller: Principal, { workspace = '', report }: Options) {
  const onReports = app.get(ReportGrantsService, { strict: false });
  const onWorkspaces = app.get(TargetGrantsService, { strict: false });
  const onListed = app.get(ListedGrantsService, { strict: false });
  const target = { workspaceId: workspace };
  return report === undefined
    ? {
        list: (query: ListGrantsQuery) => onListed.list(caller, target, query),
        set: async (holder: Holder, body: object) =>
          onWorkspaces.set(caller, target, holder, await validated(body, SetMemberDto)),
        remove: (holder: Holder) => onWorkspaces.remove(caller, target, holder),
      }
    : {
        list: (query: ListGrantsQuery) => onReports.list(caller, report, query),
        set: async (holder: Holder, body: object) =>
          onReports.set(caller, report, holder, await validated(body, SetReportGrantDto)),
        remove: (holder: Holder) => onReports.remove(caller, report, holder),
      };
}

const lineOf = ({ holder, role, source, expires_at }: TargetGrantDto) => ({
  ...holder,
  role,
  source,
  expires_at: expires_at?.toISOString() ?? null,
});

const list = onTarget('list', 'Lists the active grants on a workspace or on a report')
  .option('--q <text>', "filter by a part of the holder's name or email address")
  .action((_: object, command: Command) => {
    const options = command.optsWithGlobals<Options>();
    requireOne(command, options, 'workspace', 'report');
    return withService(async (app) => {
      const { list: page } = grantsOn(app, readingActor, options);
      const query = Object.assign(new ListGrantsQuery(), { q: options.q });
      const grants = await everyPage((cursor) => page({ ...query, cursor }));
      const shown = grants.map(TargetGrantDto.from);
      const columns = ['type', 'id', 'name', 'email', 'role', 'source', 'expires_at'] as const;
      print(options.json, { grants: shown }, table(shown.map(lineOf), columns));
    });
  });

const set = ofHolder('set', 'Grants a user or group a role, or changes it')
  .option('--role <role>', 'viewer or editor; on a workspace also manager', 'viewer')
  .option('--expires <time>', 'the last day as YYYY-MM-DD, or RFC 3339')
  .action((_: object, command: Command) => {
    const options = command.optsWithGlobals<Options>();
    requireOne(command, options, 'workspace', 'report');
    requireOne(command, options, 'user', 'group');
    return withService(async (app) => {
      const holder = await holderOf(app, options);
      const body = { role: options.role, expires_at: options.expires };
      const granted = await grantsOn(app, await systemActor(app), options).set(holder, body);
      print(options.json, TargetGrantDto.from(granted), `${granted.name} is ${granted.role}.`);
    });
  });

const remove = ofHolder('remove', 'Removes the role that a user or group was granted').action(
  (_: object, command: Command) => {
    const options = command.optsWithGlobals<Options>();
    requireOne(command, options, 'workspace', 'report');
    requireOne(command, options, 'user', 'group');
    return withService(async (app) => {
      const holder = await holderOf(app, options);
      await grantsOn(app, await systemActor(app), options).remove(holder);
      print(options.json, holder, 'The grant is removed.');
    });
  },
);

export const grantsCommand = new Command('grants')
  .description('Manages the grants of users and groups on workspaces and reports')
  .addCommand(list)
  .addCommand(set)
  .addCommand(remove);
