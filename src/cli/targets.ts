import type { INestApplicationContext } from '@nestjs/common';
import { foldName } from '../core/lists/fold-name.js';
import type { Page } from '../core/lists/pagination.js';
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

/** The id of the only one with this name. Throws Failure if several have it. */
async function onlyOne(
  name: string,
  read: (cursor?: string) => Promise<Page<Named>>,
): Promise<string | undefined> {
  const key = foldName(name).trim();
  const found = (await everyPage(read)).filter((each) => foldName(each.name).trim() === key);
  if (found.length <= 1) return found[0]?.id;
  const ids = found.map(({ id }) => id).join(', ');
  throw new Failure(
    exitCodes.refused,
    'conflict',
    `Several are named "${name}". Use one of the ids: ${ids}.`,
  );
}

/** Returns the id of the workspace with this name, or what is given as an id. Throws WorkspaceNotFound. */
export async function findWorkspaceId(app: INestApplicationContext, given: string): Promise<string> {
  const known = toUuid(given);
  if (known !== null) return known;
  const query = await validated({ q: given }, ListWorkspacesQuery);
  const workspaces = app.get(WorkspacesService, { strict: false });
  const id = await onlyOne(given, (cursor) => workspaces.list(readingActor, { ...query, cursor }));
  if (id === undefined) throw new WorkspaceNotFound();
  return id;
}

/** Returns the id of the report with this name, or what is given as an id. Throws ReportNotFound. */
export async function findReportId(app: INestApplicationContext, given: string): Promise<string> {
  const known = toUuid(given);
  if (known !== null) return known;
  const query = await validated({ q: given }, ListReportsQuery);
  const reports = app.get(ReportsService, { strict: false });
  const id = await onlyOne(given, (cursor) => reports.list(readingActor, { ...query, cursor }));
  if (id === undefined) throw new ReportNotFound();
  return id;
}
