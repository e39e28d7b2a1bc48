import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Audit } from '../audit/audit.service.js';
import { Clock } from '../common/clock.js';
import { Problem } from '../common/problem.js';
import { settled } from '../common/settled.js';
import type { Principal } from '../common/principal.js';
import { Database } from '../database/database.service.js';
import { EmbedHosts } from '../power-bi/embed-hosts.js';
import type { Report } from '../reports/report.entity.js';
import { ReportsService } from '../reports/reports.service.js';
import { type View, Views } from '../workspaces/views.service.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import type { EmbedAccess } from './dto/embed-request.dto.js';
import { EmbedTokenDto } from './dto/embed-token.dto.js';
import { ReportNotEmbeddable } from './embed.errors.js';
import { EmbedRights } from './embed-rights.service.js';
import { EmbedTokens, type Wanted } from './embed-tokens.service.js';
import { refreshIn, secondsLeft } from './token-life.js';
import type { HeldToken } from './token-reuse.js';
import { Viewers } from './viewers.service.js';

/** About 2 kB each. */
const MOST_REMEMBERED = 10_000;

/** A token, and what it is handed out for. */
export interface AtHand {
  wanted: Wanted;
  held: HeldToken;
}

@Injectable()
export class EmbedService {
  /** What was found about who asks and what for, while nothing about it changes. */
  private readonly authorised = new LRUCache<string, Wanted>({ max: MOST_REMEMBERED });

  constructor(
    private readonly reports: ReportsService,
    private readonly workspaces: WorkspacesService,
    private readonly rights: EmbedRights,
    private readonly viewers: Viewers,
    private readonly tokens: EmbedTokens,
    private readonly hosts: EmbedHosts,
    private readonly database: Database,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly views: Views,
  ) {}

  /** Throws ReportNotFound for a report that is not the caller's, and the `power_bi_*` problems. */
  async embed(
    caller: Principal,
    reportId: string,
    access: EmbedAccess,
    signal: AbortSignal,
  ): Promise<EmbedTokenDto> {
    const view = await this.views.of(caller);
    const name = nameOf(view, reportId, access);
    const known = view && this.authorised.get(name);
    const report = known?.report ?? (await this.reports.get(caller, reportId));
    try {
      const wanted = known ?? (await this.authorise(caller, report, access));
      if (view !== undefined && this.views.isCurrent(view)) this.authorised.set(name, wanted);
      const held = await this.tokens.get(wanted, signal);
      return this.answer(wanted, held);
    } catch (error) {
      if (error instanceof Problem && !signal.aborted) await this.recordDenial(caller, report, error);
      throw error;
    }
  }

  /** From memory only; undefined when the right has to be looked at, or a token to be made. */
  atHand(caller: Principal, reportId: string, access: EmbedAccess): AtHand | undefined {
    const view = this.views.known(caller);
    const wanted = view && this.authorised.get(nameOf(view, reportId, access));
    const held = wanted && this.tokens.atHand(wanted);
    return held && { wanted, held };
  }

  handOut({ wanted, held }: AtHand): EmbedTokenDto {
    this.tokens.handOut(held);
    return this.answer(wanted, held);
  }

  private answer({ report, access }: Wanted, { token, at }: HeldToken): EmbedTokenDto {
    const expiresIn = secondsLeft({ ...token, at }, this.clock.now());
    return {
      token: token.token,
      token_id: token.tokenId,
      expires_at: token.expiresAt,
      expires_in: expiresIn,
      refresh_in: refreshIn(expiresIn),
      embed_url: report.embedUrl,
      report_id: report.id,
      pbi_report_id: report.pbiReportId,
      access,
    };
  }

  private async authorise(caller: Principal, report: Report, access: EmbedAccess): Promise<Wanted> {
    const [checked, viewed, workspace] = await Promise.allSettled([
      this.rights.check(caller, report, access),
      this.viewers.viewing(report, caller.id),
      this.workspaces.find(report.workspaceId),
    ]);
    const endsAt = settled(checked);
    if (!this.hosts.allow(report.embedUrl)) throw new ReportNotEmbeddable();
    const viewing = settled(viewed);
    const profileId = settled(workspace)?.pbiProfileId ?? undefined;
    return { ...viewing, caller, report, access, endsAt, profileId };
  }

  private recordDenial(caller: Principal, report: Report, { code }: Problem): Promise<void> {
    return this.database.transaction((tx) =>
      this.audit.record(tx, {
        action: 'embed_token_denied',
        outcome: 'denied',
        actorId: caller.id,
        target: { type: 'report', id: report.id },
        details: { code },
      }),
    );
  }
}

const nameOf = (view: View | undefined, reportId: string, access: EmbedAccess): string =>
  `${view?.id} ${reportId} ${access}`;
