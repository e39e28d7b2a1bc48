import { isUUID } from 'class-validator';
import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import type { Report } from './report.entity.js';

/** A report by its id, its Power BI id or, in a given workspace, its name. */
export interface ReportReference {
  report: string;
  workspaceId?: string;
}

/** Returns a function that finds the reports of one of these references. */
export async function findByReference(
  manager: EntityManager,
  references: readonly ReportReference[],
): Promise<(reference: ReportReference) => { workspaceId: string; reportId: string }[]> {
  if (references.length === 0) return () => [];
  const names = references.map(({ report }) => report);
  const { rows } = await execute<Pick<Report, 'id' | 'workspaceId' | 'pbiReportId' | 'name'>>(
    manager,
    `SELECT id, workspace_id AS "workspaceId", pbi_report_id AS "pbiReportId", name FROM reports
     WHERE retired_at IS NULL AND (id = ANY($1::uuid[]) OR pbi_report_id = ANY($1::uuid[])
       OR workspace_id = ANY($2::uuid[]) AND name = ANY($3::text[]))`,
    [
      names.filter((name) => isUUID(name, 'all')),
      references.flatMap(({ workspaceId }) => workspaceId ?? []),
      names,
    ],
  );
  return ({ report, workspaceId }) =>
    rows
      .filter(
        (row) =>
          [row.id, row.pbiReportId].includes(report.toLowerCase()) ||
          (workspaceId !== undefined && row.name === report),
      )
      .filter((row) => workspaceId === undefined || row.workspaceId === workspaceId)
      .map((row) => ({ workspaceId: row.workspaceId, reportId: row.id }));
}

/** Those of the reports that exist, and whether each is present: not retired. */
export async function findReportTargets(
  manager: EntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { workspaceId: string; reportId: string; isPresent: boolean }>> {
  if (ids.length === 0) return new Map();
  const rows = await manager.query<{ workspaceId: string; reportId: string; isPresent: boolean }[]>(
    `SELECT id AS "reportId", workspace_id AS "workspaceId", retired_at IS NULL AS "isPresent"
     FROM reports WHERE id = ANY($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.reportId, row]));
}
