import type { Capacity, Dataset, Report, Seed, ServicePrincipal, Workspace } from './model.js';

export interface Placed<T> {
  item: T;
  workspace: Workspace;
}

/** What is in the tenant, indexed by id. Power BI compares GUIDs without regard to case. */
export class Content {
  readonly principals: ServicePrincipal[];
  readonly capacities: Capacity[];
  readonly workspaces: Workspace[];
  private readonly workspacesById = new Map<string, Workspace>();
  private readonly reportsById = new Map<string, Placed<Report>>();
  private readonly datasetsById = new Map<string, Placed<Dataset>>();

  constructor(seed: Required<Seed>) {
    ({ principals: this.principals, capacities: this.capacities, workspaces: this.workspaces } = seed);
    for (const workspace of this.workspaces) this.index(workspace);
  }

  add(workspace: Workspace): void {
    this.workspaces.push(workspace);
    this.index(workspace);
  }

  findWorkspace(id: string): Workspace | undefined {
    return this.workspacesById.get(id.toLowerCase());
  }

  findReport(id: string): Placed<Report> | undefined {
    return this.reportsById.get(id.toLowerCase());
  }

  findDataset(id: string): Placed<Dataset> | undefined {
    return this.datasetsById.get(id.toLowerCase());
  }

  findCapacity(id: string | undefined): Capacity | undefined {
    return this.capacities.find((each) => sameId(each.id, id));
  }

  private index(workspace: Workspace): void {
    this.workspacesById.set(workspace.id.toLowerCase(), workspace);
    for (const item of workspace.reports) this.reportsById.set(item.id.toLowerCase(), { item, workspace });
    for (const item of workspace.datasets) this.datasetsById.set(item.id.toLowerCase(), { item, workspace });
  }
}

export function sameId(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}
