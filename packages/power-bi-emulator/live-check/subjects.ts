import type { Tenant } from './tenant.js';

export type Item = Record<string, unknown>;

export interface Subject {
  workspaceId: string;
  report: Item;
  dataset: Item;
}

/** Items of the tenant to check guesses on. */
export interface Subjects {
  groups: Item;
  workspaceId?: string;
  plain?: Subject;
  identity?: Subject;
  roles?: Subject;
}

/** Calls are limited per minute, so only the first workspaces are read. */
const MAX_WORKSPACES = 20;

const itemsOf = (body: Item | undefined): Item[] =>
  Array.isArray(body?.value) ? (body.value as Item[]) : [];

const kindOf = (dataset: Item): 'plain' | 'identity' | 'roles' | undefined => {
  if (dataset.isEffectiveIdentityRequired === undefined) return undefined;
  if (dataset.isEffectiveIdentityRequired !== true) return 'plain';
  return dataset.isEffectiveIdentityRolesRequired === true ? 'roles' : 'identity';
};

const isEnough = ({ plain, identity, roles }: Subjects): boolean =>
  plain !== undefined && identity !== undefined && roles !== undefined;

export async function findSubjects(tenant: Tenant): Promise<Subjects> {
  const groups = (await tenant.get(`groups?$top=${MAX_WORKSPACES}`)).body ?? {};
  const found: Subjects = { groups };
  for (const { id } of itemsOf(groups)) {
    found.workspaceId ??= String(id);
    await lookInto(tenant, String(id), found);
    if (isEnough(found)) break;
  }
  return found;
}

async function lookInto(tenant: Tenant, workspaceId: string, found: Subjects): Promise<void> {
  const reports = itemsOf((await tenant.get(`groups/${workspaceId}/reports`)).body);
  const datasets = itemsOf((await tenant.get(`groups/${workspaceId}/datasets`)).body);
  for (const dataset of datasets) {
    const report = reports.find(
      (each) => each.datasetId === dataset.id && each.reportType !== 'PaginatedReport',
    );
    const kind = kindOf(dataset);
    if (report !== undefined && kind !== undefined) found[kind] ??= { workspaceId, report, dataset };
  }
}
