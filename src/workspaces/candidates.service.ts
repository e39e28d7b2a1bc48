import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { type Candidate, findCandidates } from './candidates.queries.js';
import type { CandidatesQueryDto } from './dto/candidate.dto.js';
import { ManagedWorkspacesService } from './managed-workspaces.service.js';

/** The people and groups to whom a manager can grant access. */
@Injectable()
export class CandidatesService {
  constructor(
    private readonly managed: ManagedWorkspacesService,
    private readonly database: DatabaseService,
    private readonly clock: Clock,
  ) {}

  /** Throws WorkspaceNotFound or WorkspaceManagerRequired. */
  async find(caller: Principal, workspaceId: string, { q, limit }: CandidatesQueryDto): Promise<Candidate[]> {
    await this.managed.require(caller, workspaceId);
    return findCandidates(this.database.manager, { caller, now: this.clock.now(), q, limit });
  }
}
