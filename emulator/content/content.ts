import type { Capacity, Dataset, Profile, Report, Seed, ServicePrincipal, Workspace } from './model.js';

export interface Placed<T> {
  item: T;
  workspace: Workspace;
}

/** What is in the tenant, indexed by id. Power BI compares GUIDs without regard to case. */
export class Content {
  readonly principals: ServicePrincipal[];
  readonly capacities: Capacity[];
  readonly profiles: Profile[];
  readonly workspaces: Workspace[];
  private readonly workspacesById = new Map<string, Workspace>();
  private readonly reportsById = new Map<string, Placed<Report>>();
  private readonly datasetsById = new Map<string, Placed<Dataset>>();

  constructor(seed: Required<Seed>) {
    this.principals = seed.principals;
    this.capacities = seed.capacities;
    this.profiles = seed.profiles;
    this.workspaces = seed.workspaces;
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

  /** The content as a seed that makes it again. */
  toSeed(): Required<Seed> {
    const { principals, capacities, profiles, workspaces } = this;
    return { principals, capacities, profiles, workspaces };
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
