import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { Cursors, type Reader } from '../core/lists/cursors.js';
import { searchNames } from '../core/lists/name-search.js';
import { listPage, type Page, selectedBy } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import { fingerprint, storedFingerprints } from '../core/database/fingerprint.js';
import { reconcile, type ReconcileResult } from '../core/database/reconcile.js';
import { retiredWorkspaces } from '../workspaces/workspaces.queries.js';
import { DatasetNotFound } from './catalogue.errors.js';
import { Dataset, type IdentityPolicy } from './dataset.entity.js';
import { datasetSortKeys, ListDatasetsQuery, policyFilters } from './dto/dataset.dto.js';

/** What comes from Power BI, key first. */
const reconciled = ['pbiDatasetId', 'name', 'identityRequired', 'identityRolesRequired'] as const;

type ReconciledDataset = Pick<Dataset, (typeof reconciled)[number]>;

@Injectable()
export class DatasetsService {
  constructor(
    @InjectRepository(Dataset) private readonly datasets: Repository<Dataset>,
    private readonly database: DatabaseService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly audit: AuditService,
  ) {}

  list(reader: Reader, { workspace_id, policy, q, ...page }: ListDatasetsQuery): Promise<Page<Dataset>> {
    const query = this.datasets.createQueryBuilder('dataset').where('dataset.retiredAt IS NULL');
    if (workspace_id !== undefined) query.andWhere('dataset.workspaceId = :workspace_id', { workspace_id });
    if (policy !== undefined) query.andWhere(policyFilters[policy]);
    searchNames(query, q, 'dataset.name');
    const filters = { workspace_id, policy };
    const paged = { reader, ...page, q, keys: datasetSortKeys, filters };
    return listPage(selectedBy(query), paged, this.cursors);
  }

  /** Datasets whose reports cannot be embedded until a policy, or roles in it, are set. */
  countWithoutPolicy(): Promise<number> {
    return this.datasets
      .createQueryBuilder('dataset')
      .where(`dataset.retiredAt IS NULL AND ${policyFilters.missing}`)
      .getCount();
  }

  async get(id: string): Promise<Dataset> {
    const dataset = await this.datasets.findOneBy({ id, retiredAt: IsNull() });
    if (dataset === null) throw new DatasetNotFound();
    return dataset;
  }

  /**
   * A report may use a dataset of another workspace. Prefers the dataset in the report's workspace, then the oldest, so
   * that the same policy applies each time.
   */
  async findForReport(workspaceId: string, pbiDatasetId: string): Promise<Dataset | null> {
    const where = { pbiDatasetId, retiredAt: IsNull() };
    const found = await this.datasets.find({ where, order: { id: 'ASC' } });
    return found.find((dataset) => dataset.workspaceId === workspaceId) ?? found[0] ?? null;
  }

  /** Null removes the policy. Throws DatasetNotFound. */
  async setPolicy(caller: Principal, id: string, policy: IdentityPolicy | null): Promise<Dataset> {
    return this.database.transaction(async (tx) => {
      const dataset = await tx.findOne(Dataset, {
        where: { id, retiredAt: IsNull() },
        lock: { mode: 'pessimistic_write' },
      });
      if (dataset === null) throw new DatasetNotFound();
      const changes = { identityPolicy: policy, policyVersion: dataset.policyVersion + 1 };
      await tx.update(Dataset, { id }, changes);
      await this.audit.record(tx, {
        action: 'identity_policy_set',
        actorId: caller.id,
        target: { type: 'dataset', id },
        details: { before: dataset.identityPolicy, after: policy },
      });
      return { ...dataset, ...changes };
    });
  }

  /** Stores the requirement that an embed request revealed. A sync in which Power BI reports the flags overwrites it. */
  async recordIdentityRequirement(
    id: string,
    flags: Partial<Pick<Dataset, 'identityRequired' | 'identityRolesRequired'>>,
  ): Promise<void> {
    await this.database.manager.update(Dataset, { id }, flags);
  }

  /**
   * Fingerprints of the stored datasets by workspace id. Equal to `fingerprintOf` the datasets that Power BI lists if
   * nothing changed.
   */
  fingerprints(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return storedFingerprints(this.datasets, reconciled, workspaceIds);
  }

  fingerprintOf(found: readonly ReconciledDataset[]): string {
    return fingerprint(found, reconciled);
  }

  /** Retires the datasets of retired workspaces. Their policies stay, for workspaces that return. */
  async retireWithWorkspaces(tx: EntityManager): Promise<void> {
    await tx
      .createQueryBuilder()
      .update(Dataset)
      .set({ retiredAt: this.clock.now() })
      .where(`retired_at IS NULL AND workspace_id IN (${retiredWorkspaces})`)
      .execute();
  }

  /**
   * Brings the datasets of one workspace in line with Power BI. Flags that Power BI does not report keep their previous
   * value.
   */
  async reconcile(
    tx: EntityManager,
    workspaceId: string,
    found: readonly ReconciledDataset[],
    syncStartedAt: Date,
  ): Promise<ReconcileResult> {
    const stored = await tx.findBy(Dataset, { workspaceId });
    const known = new Map(stored.map((dataset) => [dataset.pbiDatasetId, dataset]));
    const fields = found.map(({ pbiDatasetId, name, identityRequired, identityRolesRequired }) => {
      const before = known.get(pbiDatasetId);
      return {
        workspaceId,
        pbiDatasetId,
        name,
        identityRequired: identityRequired ?? before?.identityRequired ?? null,
        identityRolesRequired: identityRolesRequired ?? before?.identityRolesRequired ?? null,
      };
    });
    const now = this.clock.now();
    return reconcile(tx, { entity: Dataset, stored, found: fields, key: 'pbiDatasetId', now, syncStartedAt });
  }
}
