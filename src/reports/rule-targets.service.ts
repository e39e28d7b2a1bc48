import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RuleGrant } from '../core/config/sign-in-rules.js';
import type { Target } from '../access/grants/grant.js';
import {
  type NamedTargets,
  type Resolution,
  RuleReferencesService,
  type UnresolvedReference,
} from '../access/groups/rule-references.service.js';
import { findByReference as findWorkspaces, findPresence } from '../workspaces/workspaces.queries.js';
import {
  findByReference as findReports,
  findReportTargets,
  type ReportReference,
} from './report-references.queries.js';

/** What the grant of a rule is on. */
export interface RuleTarget {
  /** Null if the rule never named exactly one workspace or report. */
  target: Target | null;
  /** What prevents the rule from adding the grant: it adds and removes nothing. */
  unresolved: UnresolvedReference | null;
}

type Resolve = (named: NamedTargets) => Promise<ReadonlyMap<string, Resolution>>;

/** How the report of a rule is stored and shown: a name is unique only in its workspace. */
const reportKey = ({ workspace, report = '' }: RuleGrant): string =>
  [workspace ?? [], report].flat().join(' / ');

/** The workspaces and reports that the grants of rules name. */
@Injectable()
export class RuleTargetsService {
  constructor(private readonly references: RuleReferencesService) {}

  /** Binds each name to what it matches at first. */
  bind(tx: EntityManager, grants: readonly RuleGrant[]): Promise<(grant: RuleGrant) => RuleTarget> {
    return this.finderOf(tx, grants, (named) => this.references.bind(tx, named));
  }

  /** Returns the workspace or report of each grant whose target is unknown. */
  async unresolved(
    manager: EntityManager,
    grants: readonly RuleGrant[],
  ): Promise<ReadonlyMap<RuleGrant, UnresolvedReference>> {
    const find = await this.finderOf(manager, grants, (named) => this.references.resolve(manager, named));
    return new Map(
      grants.flatMap((grant) => {
        const { unresolved } = find(grant);
        return unresolved === null ? [] : [[grant, unresolved] as const];
      }),
    );
  }

  private async finderOf(
    manager: EntityManager,
    grants: readonly RuleGrant[],
    resolve: Resolve,
  ): Promise<(grant: RuleGrant) => RuleTarget> {
    const workspaces = await resolve(await this.namedWorkspaces(manager, grants));
    const workspaceOf = ({ workspace = '' }: RuleGrant): Resolution => workspaces.get(workspace) ?? unknown;
    const onReports = grants.filter(({ report }) => report !== undefined);
    const reports = await resolve(await this.namedReports(manager, onReports, workspaceOf));
    const ids = [...reports.values()].flatMap(({ id }) => id ?? []);
    const targets = await findReportTargets(manager, ids);
    return (grant) => {
      const { workspace, report } = grant;
      const { id, problem } =
        report === undefined ? workspaceOf(grant) : (reports.get(reportKey(grant)) ?? unknown);
      const onReport = targets.get(id ?? '') ?? null;
      const target = report === undefined && id !== null ? { workspaceId: id } : onReport;
      if (problem === null) return { target, unresolved: null };
      // A report cannot be found in an unknown workspace.
      const ofWorkspace = workspace === undefined ? null : workspaceOf(grant).problem;
      const unresolved: UnresolvedReference =
        workspace === undefined || ofWorkspace === null
          ? { kind: 'report', reference: reportKey(grant), problem }
          : { kind: 'workspace', reference: workspace, problem: ofWorkspace };
      return { target, unresolved };
    };
  }

  private async namedWorkspaces(manager: EntityManager, grants: readonly RuleGrant[]): Promise<NamedTargets> {
    const names = [...new Set(grants.flatMap(({ workspace }) => workspace ?? []))];
    const found = names.length === 0 ? [] : await findWorkspaces(manager, names);
    const idsOf = (name: string): string[] =>
      found.filter(({ reference }) => reference === name).map(({ id }) => id);
    return {
      kind: 'workspace',
      matches: new Map(names.map((name) => [name, idsOf(name)])),
      presenceOf: (ids) => findPresence(manager, ids),
    };
  }

  private async namedReports(
    manager: EntityManager,
    grants: readonly RuleGrant[],
    workspaceOf: (grant: RuleGrant) => Resolution,
  ): Promise<NamedTargets> {
    const referencesOf = (grant: RuleGrant): ReportReference[] => {
      const report = grant.report as string;
      if (grant.workspace === undefined) return [{ report }];
      const { id } = workspaceOf(grant);
      return id === null ? [] : [{ report, workspaceId: id }];
    };
    const find = await findReports(manager, grants.flatMap(referencesOf));
    const idsOf = (grant: RuleGrant): string[] =>
      referencesOf(grant)
        .flatMap(find)
        .map(({ reportId }) => reportId);
    return {
      kind: 'report',
      matches: new Map(grants.map((grant) => [reportKey(grant), idsOf(grant)])),
      presenceOf: async (ids) => {
        const targets = await findReportTargets(manager, ids);
        return new Map([...targets].map(([id, { isPresent }]) => [id, isPresent]));
      },
    };
  }
}

const unknown: Resolution = { id: null, problem: 'missing' };
