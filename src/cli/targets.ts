import type { INestApplicationContext, Type } from '@nestjs/common';
import { foldName } from '../core/lists/fold-name.js';
import { MAX_TERM } from '../core/lists/list-query.dto.js';
import type { Page } from '../core/lists/pagination.js';
import type { Problem } from '../core/problems/problem.js';
import { cleanAddress } from '../core/validation/email-address.js';
import { GroupNotFound } from '../access/groups/groups.errors.js';
import type { CountedGroup } from '../access/groups/groups.queries.js';
import { GroupsService } from '../access/groups/groups.service.js';
import { UserNotFound } from '../users/users.errors.js';
import { UsersService } from '../users/users.service.js';
import { toUuid } from '../core/validation/text.js';
import { ListReportsQuery } from '../reports/dto/report.dto.js';
import { ReportNotFound } from '../reports/reports.errors.js';
import { ReportsService } from '../reports/reports.service.js';
import { ListWorkspacesQuery } from '../workspaces/dto/workspace.dto.js';
import { WorkspaceNotFound } from '../workspaces/workspaces.errors.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { exitCodes, Failure } from './exit-codes.js';
import { everyPage } from './output.js';
import { validated } from './service.js';
import { readingActor } from './system-actor.js';

interface Named {
  id: string;
  name: string;
}

interface Search<Query> {
  Query: Type<Query>;
  NotFound: new () => Problem;
  list: (query: Query & { cursor?: string }) => Promise<Page<Named>>;
}

/** Returns what is given as an id, or the id of the only one with this name. Throws Failure if several have it. */
async function findId<Query extends object>(
  given: string,
  { Query, NotFound, list }: Search<Query>,
): Promise<string> {
  const known = toUuid(given);
  if (known !== null) return known;
  // A name may be longer than a search term. A term is cut between code points.
  const q = Array.from(given).slice(0, MAX_TERM).join('');
  const query = await validated({ q }, Query);
  const key = foldName(given).trim();
  const found = (await everyPage((cursor) => list({ ...query, cursor }))).filter(
    ({ name }) => foldName(name).trim() === key,
  );
  const ids = found.map(({ id }) => id);
  if (ids[0] === undefined) throw new NotFound();
  if (ids.length === 1) return ids[0];
  const detail = `Several are named "${given}". Use one of the ids: ${ids.join(', ')}.`;
  throw new Failure(exitCodes.refused, 'conflict', detail);
}

/** Returns the id of the workspace with this name or id. Throws WorkspaceNotFound. */
export const findWorkspaceId = (app: INestApplicationContext, given: string): Promise<string> =>
  findId(given, {
    Query: ListWorkspacesQuery,
    NotFound: WorkspaceNotFound,
    list: (query) => app.get(WorkspacesService).list(readingActor, query),
  });

/** Returns the id of the report with this name or id. Throws ReportNotFound. */
export const findReportId = (app: INestApplicationContext, given: string): Promise<string> =>
  findId(given, {
    Query: ListReportsQuery,
    NotFound: ReportNotFound,
    list: (query) => app.get(ReportsService).list(readingActor, query),
  });

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
