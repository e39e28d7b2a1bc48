import { positionOf } from './ids.js';
import type {
  App,
  Capacity,
  Dataset,
  PastActivity,
  Profile,
  Report,
  Seed,
  ServicePrincipal,
  Workspace,
} from './model.js';

type CompleteSeed = Seed & Required<Omit<Seed, 'apps' | 'activities'>>;

export interface Placed<T> {
  item: T;
  workspace: Workspace;
}

interface Index {
  reports: Map<string, Placed<Report>>;
  datasets: Map<string, Placed<Dataset>>;
}

/** The tenant's content, indexed by id. Power BI compares GUIDs case-insensitively. */
export class Content {
  readonly principals: ServicePrincipal[];
  readonly capacities: Capacity[];
  readonly profiles: Profile[];
  readonly workspaces: Workspace[];
  readonly apps: App[];
  readonly activities: PastActivity[];
  private readonly workspacesById = new Map<string, Workspace>();
  private index: Index | undefined;

  constructor(seed: CompleteSeed) {
    this.principals = seed.principals;
    this.capacities = seed.capacities;
    this.profiles = seed.profiles;
    this.workspaces = seed.workspaces;
    this.apps = seed.apps ?? [];
    this.activities = seed.activities ?? [];
    for (const workspace of this.workspaces) this.workspacesById.set(workspace.id.toLowerCase(), workspace);
  }

  add(workspace: Workspace): void {
    this.workspaces.push(workspace);
    this.workspacesById.set(workspace.id.toLowerCase(), workspace);
    this.index = undefined;
  }

  /** To call after a report or dataset was added or removed. */
  changed(workspace: Workspace, now: number): void {
    workspace.modified = now;
    this.index = undefined;
  }

  findWorkspace(id: string): Workspace | undefined {
    return this.workspacesById.get(id.toLowerCase());
  }

  findReport(id: string): Placed<Report> | undefined {
    return this.at('reports', id) ?? this.everything().reports.get(id.toLowerCase());
  }

  findDataset(id: string): Placed<Dataset> | undefined {
    return this.at('datasets', id) ?? this.everything().datasets.get(id.toLowerCase());
  }

  findCapacity(id: string | undefined): Capacity | undefined {
    return this.capacities.find((each) => sameId(each.id, id));
  }

  /** The content as a seed that recreates it. */
  toSeed(): CompleteSeed {
    const { principals, capacities, profiles, workspaces, apps, activities } = this;
    return { principals, capacities, profiles, workspaces, apps, activities };
  }

  /** Finds an item by the position in its id, so that large generated content is neither traversed nor created. */
  private at<Kind extends 'reports' | 'datasets'>(
    kind: Kind,
    id: string,
  ): Placed<Workspace[Kind][number]> | undefined {
    const position = positionOf(id);
    const workspace = position && this.workspaces[position.workspace - 1];
    const item = workspace?.[kind][position!.item - 1];
    return workspace && item && sameId(item.id, id) ? { item, workspace } : undefined;
  }

  private everything(): Index {
    this.index ??= indexOf(this.workspaces);
    return this.index;
  }
}

function indexOf(workspaces: Workspace[]): Index {
  const index: Index = { reports: new Map(), datasets: new Map() };
  for (const workspace of workspaces) {
    for (const item of workspace.reports) index.reports.set(item.id.toLowerCase(), { item, workspace });
    for (const item of workspace.datasets) index.datasets.set(item.id.toLowerCase(), { item, workspace });
  }
  return index;
}

export function sameId(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}
