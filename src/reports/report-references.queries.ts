import { Any, type EntityManager, IsNull } from 'typeorm';
import { isUuid } from '../core/validation/text.js';
import { Report } from './report.entity.js';

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
  const ids = Any(names.filter(isUuid));
  const workspaceIds = references.flatMap(({ workspaceId }) => workspaceId ?? []);
  const retiredAt = IsNull();
  const rows = await manager.find(Report, {
    where: [
      { id: ids, retiredAt },
      { pbiReportId: ids, retiredAt },
      { workspaceId: Any(workspaceIds), name: Any(names), retiredAt },
    ],
    select: { id: true, workspaceId: true, pbiReportId: true, name: true },
  });
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
  const rows = await manager.find(Report, {
    where: { id: Any([...ids]) },
    select: { id: true, workspaceId: true, retiredAt: true },
  });
  return new Map(
    rows.map(({ id, workspaceId, retiredAt }) => [
      id,
      { workspaceId, reportId: id, isPresent: retiredAt === null },
    ]),
  );
}

/** Those of the reports that are not retired, by name, regardless of the caller's rights. */
export async function findReportNames(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Pick<Report, 'id' | 'name'>[]> {
  if (ids.length === 0) return [];
  return manager.find(Report, {
    where: { id: Any([...ids]), retiredAt: IsNull() },
    select: { id: true, name: true },
    order: { nameKey: 'ASC', id: 'ASC' },
  });
}
