import { Any, type EntityManager, IsNull } from 'typeorm';
import { Report } from './report.entity.js';

export interface NamedReport {
  id: string;
  name: string;
}

/** Those of the reports that are not retired, by name, regardless of the caller's rights. */
export async function findReportNames(
  manager: EntityManager,
  ids: readonly string[],
): Promise<NamedReport[]> {
  if (ids.length === 0) return [];
  return manager.find(Report, {
    where: { id: Any([...ids]), retiredAt: IsNull() },
    select: { id: true, name: true },
    order: { nameKey: 'ASC', id: 'ASC' },
  });
}
