import { Injectable } from '@nestjs/common';
import { AuditDenialsService } from '../platform/audit/audit-denials.service.js';
import { Clock } from '../core/clock.js';
import { Problem } from '../core/problems/problem.js';
import type { Principal } from '../core/http/principal.js';
import { PowerBiService } from '../power-bi/power-bi.service.js';
import { type EmbedAccess, EmbedTokenDto } from './dto/embed-token.dto.js';
import { EmbedInputsChanged, ReportNotEmbeddable } from './embed.errors.js';
import type { EmbedRightsRow } from './embed.queries.js';
import { EmbedRightsService, identityOf, requireRight } from './embed-rights.service.js';
import { EmbedTokensService } from './embed-tokens.service.js';
import type { EmbedRequest } from './minted-tokens.service.js';
import { refreshIn, secondsLeft } from './token-life.js';
import type { HeldToken } from './token-reuse.js';

@Injectable()
export class EmbedService {
  constructor(
    private readonly rights: EmbedRightsService,
    private readonly tokens: EmbedTokensService,
    private readonly powerBi: PowerBiService,
    private readonly denials: AuditDenialsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws ReportNotFound for a report that the caller may not see, the errors of `authorize`, the `power_bi_*` problems, and
   * EmbedInputsChanged.
   */
  async embed(
    caller: Principal,
    reportId: string,
    access: EmbedAccess,
    signal: AbortSignal,
  ): Promise<EmbedTokenDto> {
    const row = await this.rights.read(caller.id, reportId, access);
    try {
      return await this.issue(row, access, signal);
    } catch (error) {
      if (error instanceof Problem && isDenial(error) && !signal.aborted)
        await this.recordDenial(caller, reportId, error);
      throw error;
    }
  }

  /** Tries again, once, if what determines the token changed during the call to Power BI. */
  private async issue(
    row: EmbedRightsRow,
    access: EmbedAccess,
    signal: AbortSignal,
    isAgain = false,
  ): Promise<EmbedTokenDto> {
    const wanted = this.authorize(row, access);
    try {
      return this.toDto(wanted, await this.tokens.get(wanted, signal));
    } catch (error) {
      if (isAgain || !(error instanceof EmbedInputsChanged)) throw error;
      const changed = await this.rights.read(row.user_id, row.report_id, access);
      return this.issue(changed, access, signal, true);
    }
  }

  /** Throws the errors of `requireRight`, ReportNotEmbeddable and IdentityRequired. */
  private authorize(row: EmbedRightsRow, access: EmbedAccess): EmbedRequest {
    const endsAt = requireRight(row);
    if (!this.powerBi.hosts.allow(row.embed_url)) throw new ReportNotEmbeddable();
    const identity = identityOf(row);
    return { row, access, identities: identity === null ? [] : [identity], endsAt };
  }

  private toDto({ row, access }: EmbedRequest, { token, at, atMonotonic }: HeldToken): EmbedTokenDto {
    const expiresIn = secondsLeft({ ...token, at, atMonotonic }, this.clock);
    return {
      token: token.token,
      token_id: token.tokenId,
      expires_at: token.expiresAt,
      expires_in: expiresIn,
      refresh_in: refreshIn(expiresIn),
      embed_url: row.embed_url,
      report_id: row.report_id,
      pbi_report_id: row.pbi_report_id,
      access,
    };
  }

  /** A page repeats its request after a refusal: repetitions become one event. */
  private recordDenial({ id }: Principal, reportId: string, problem: Problem): Promise<void> {
    return this.denials.recordOwn(problem, {
      action: 'embed_token_denied',
      actorId: id,
      target: { type: 'report', id: reportId },
      details: { code: problem.code },
    });
  }
}

/** Too many requests and failures that end by themselves are no denials. */
const isDenial = ({ entry: { status } }: Problem): boolean => status < 429;
