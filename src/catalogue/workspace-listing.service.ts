import { Injectable, Logger } from '@nestjs/common';
import { Problem } from '../core/problems/problem.js';
import { Config } from '../core/config/config.js';
import { PowerBiService } from '../power-bi/power-bi.service.js';
import type { CallOptions, PbiWorkspaceContent } from '../power-bi/power-bi.types.js';
import type { Workspace } from '../workspaces/workspace.entity.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { inParallel } from './in-parallel.js';

/** A workspace that exists in Power BI. With a `problem` it exists, or may exist, but its content cannot be read. */
export interface ListedWorkspace {
  pbiWorkspaceId: string;
  name: string;
  /** Absent where Power BI does not show it: the stored one is kept. */
  pbiProfileId?: string | null;
  problem?: Problem;
}

interface ProfileListings {
  found: Map<string, ListedWorkspace>;
  /** Why a listing failed, by profile. */
  failed: Map<string | null, Problem>;
}

const CONCURRENCY = 8;

/** Lists the workspaces that the service principal and each of its profiles can access. */
@Injectable()
export class WorkspaceListingService {
  private readonly logger = new Logger(WorkspaceListingService.name);

  constructor(
    private readonly config: Config,
    private readonly powerBi: PowerBiService,
    private readonly workspaces: WorkspacesService,
  ) {}

  /** Ordered by Power BI id. Throws a Problem if every listing fails. */
  async list(options: CallOptions): Promise<ListedWorkspace[]> {
    const known = await this.workspaces.all();
    const { found, failed } = await this.listAllProfiles(known, options);
    // Otherwise they would change to another profile that can access them, until the next sync. A refusal, such as of a deleted profile,
    // lasts.
    for (const { pbiWorkspaceId, pbiProfileId } of known)
      if (isTemporary(failed.get(pbiProfileId))) found.delete(pbiWorkspaceId);
    const unseen = known.filter(({ pbiWorkspaceId }) => !found.has(pbiWorkspaceId));
    await inParallel(unseen, CONCURRENCY, async (workspace) => {
      const still = await this.confirmMissing(workspace, failed.get(workspace.pbiProfileId), options);
      if (still !== null) found.set(workspace.pbiWorkspaceId, still);
    });
    return [...found.values()].toSorted((a, b) => (a.pbiWorkspaceId < b.pbiWorkspaceId ? -1 : 1));
  }

  /**
   * All workspaces of the tenant with their content, in no particular order and each once. The pages have no stable order and
   * may omit some: stored ones are requested by id before they count as missing. Throws a Problem.
   */
  async *listAsAdmin(options: CallOptions): AsyncGenerator<PbiWorkspaceContent> {
    const seen = new Set<string>();
    for await (const found of this.powerBi.admin.list(options)) {
      if (seen.has(found.pbiWorkspaceId)) continue;
      seen.add(found.pbiWorkspaceId);
      yield found;
    }
    const known = await this.workspaces.all();
    const unseen = known.filter((each) => !seen.has(each.pbiWorkspaceId));
    yield* this.powerBi.admin.find(
      unseen.map(({ pbiWorkspaceId }) => pbiWorkspaceId),
      options,
    );
  }

  /** What Power BI lists, in no particular order; `known` are those stored. Throws a Problem if every listing fails. */
  async listAllProfiles(known: readonly Workspace[], options: CallOptions): Promise<ProfileListings> {
    const usual = new Map(known.map((workspace) => [workspace.pbiWorkspaceId, workspace.pbiProfileId]));
    const views: ProfileListings = { found: new Map(), failed: new Map() };
    const profiles = [null, ...(await this.profiles(options))];
    for (const pbiProfileId of profiles) {
      try {
        const seen = await this.powerBi.listWorkspaces(withProfile(pbiProfileId, options));
        for (const { pbiWorkspaceId, name } of seen) {
          // If several profiles have a role in a workspace, the one used so far is kept.
          if (views.found.has(pbiWorkspaceId) && usual.get(pbiWorkspaceId) !== pbiProfileId) continue;
          views.found.set(pbiWorkspaceId, { pbiWorkspaceId, name, pbiProfileId });
        }
      } catch (error) {
        if (!(error instanceof Problem) || profiles.length === 1) throw error;
        this.logger.warn({ msg: 'the workspaces of a profile cannot be listed', pbiProfileId, err: error });
        views.failed.set(pbiProfileId, error);
      }
    }
    const [problem] = views.failed.values();
    if (problem !== undefined && views.failed.size === profiles.length) throw problem;
    return views;
  }

  private async profiles(options: CallOptions): Promise<readonly string[]> {
    const { profiles } = this.config.powerBi;
    return profiles === 'all' ? this.powerBi.catalogue.profiles(options) : profiles;
  }

  /**
   * A listing omits deleted workspaces and those in which the principal lost its role. Only deleted workspaces are
   * retired; the others keep their content until an administrator has checked. Returns null for a deleted workspace.
   */
  private async confirmMissing(
    { pbiWorkspaceId, name, pbiProfileId }: Workspace,
    unlisted: Problem | undefined,
    options: CallOptions,
  ): Promise<ListedWorkspace | null> {
    const kept = { pbiWorkspaceId, name, pbiProfileId };
    if (unlisted !== undefined) return { ...kept, problem: unlisted };
    try {
      const there = await this.powerBi.catalogue.workspace(
        pbiWorkspaceId,
        withProfile(pbiProfileId, options),
      );
      return there === null ? null : { ...kept, name: there.name };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { ...kept, problem: error };
    }
  }
}

/** Power BI is unavailable or throttles; other failures are refusals. */
const isTemporary = (problem: Problem | undefined): boolean =>
  problem !== undefined && problem.entry.status >= 500;

export const withProfile = (pbiProfileId: string | null | undefined, options: CallOptions): CallOptions => ({
  ...options,
  profileId: pbiProfileId ?? undefined,
});
