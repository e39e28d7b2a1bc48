import { Injectable } from '@nestjs/common';
import type { Dataset } from '../catalogue/dataset.entity.js';
import { DatasetsService } from '../catalogue/datasets.service.js';
import type { EffectiveIdentity } from '../power-bi/power-bi.types.js';
import type { Report } from '../reports/report.entity.js';
import { UsersService } from '../users/users.service.js';
import { effectiveIdentity } from './effective-identity.js';

export interface ViewerIdentity {
  dataset: Dataset | null;
  identities: EffectiveIdentity[];
}

/** Resolves the effective identity of a user for the dataset of a report. */
@Injectable()
export class ViewerIdentityService {
  constructor(
    private readonly datasets: DatasetsService,
    private readonly users: UsersService,
  ) {}

  /** Throws IdentityRequired, whose detail names what an admin must set. */
  async resolve(report: Report, userId: string): Promise<ViewerIdentity> {
    const dataset = await this.datasetOf(report);
    if (dataset === null || dataset.identityRequired === false) return { dataset, identities: [] };
    const viewer = dataset.identityPolicy === null ? null : await this.users.get(userId);
    const identity = effectiveIdentity(dataset, viewer, report);
    return { dataset, identities: identity === null ? [] : [identity] };
  }

  async datasetOf({ workspaceId, pbiDatasetId }: Report): Promise<Dataset | null> {
    return pbiDatasetId === null ? null : this.datasets.findForReport(workspaceId, pbiDatasetId);
  }
}
