import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';

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
  const { rows } = await execute<NamedReport>(
    manager,
    'SELECT id, name FROM reports WHERE id = ANY($1::uuid[]) AND retired_at IS NULL ORDER BY name_key, id',
    [ids],
  );
  return rows;
}
