import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../audit/audit.service.js';
import { DatasetsService } from '../catalogue/datasets.service.js';
import { Clock } from '../common/clock.js';
import type { Principal } from '../common/principal.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { PowerBi } from '../power-bi/power-bi.service.js';
import type { PbiEmbedToken } from '../power-bi/power-bi.types.js';
import { identityLesson } from '../power-bi/translate.js';
import type { Report } from '../reports/report.entity.js';
import type { EmbedAccess } from './dto/embed-request.dto.js';
import { EmbedGrants } from './embed-grants.service.js';
import { HandOuts } from './hand-outs.service.js';
import { EmbedRights } from './embed-rights.service.js';
import { isReusable, lifetimeMinutes, outlives } from './token-life.js';
import { type HeldToken, type MintedToken, TokenReuse } from './token-reuse.js';
import type { Viewing } from './viewers.service.js';

export interface Wanted extends Viewing {
  caller: Principal;
  report: Report;
  access: EmbedAccess;
  profileId: string | undefined;
  /** When the right to it ends. */
  endsAt: Date | null;
}

/** Embed tokens for those who were found to have a right to them: the one at hand, or a new one. */
@Injectable()
export class EmbedTokens {
  private readonly reuse = new TokenReuse<HeldToken>();
  /** Where it is shared (docs/decisions/shared-embed-tokens.md). */
  private readonly shared = new TokenReuse<MintedToken>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly powerBi: PowerBi,
    private readonly rights: EmbedRights,
    private readonly grants: EmbedGrants,
    private readonly handOuts: HandOuts,
    private readonly datasets: DatasetsService,
    private readonly database: Database,
    private readonly audit: Audit,
  ) {}

  async get(wanted: Wanted, signal: AbortSignal): Promise<HeldToken> {
    const held = this.atHand(wanted);
    if (held !== undefined) {
      this.handOut(held);
      return held;
    }
    let mine = false;
    const token = await this.reuse.share(keyOf(wanted), signal, (shared) => {
      mine = true;
      return this.issue(wanted, shared);
    });
    if (!mine) this.handOut(token);
    return token;
  }

  /** Undefined when a new one has to be made. */
  atHand(wanted: Wanted): HeldToken | undefined {
    const held = this.reuse.find(keyOf(wanted));
    return held !== undefined && this.isGood(held, wanted) ? held : undefined;
  }

  /** Counts one more who got it. */
  handOut({ grantId }: HeldToken): void {
    this.handOuts.note(grantId);
  }

  /** Null matches any. */
  forget(about: { userId: string | null; reportId: string | null; workspaceId: string | null }): void {
    const isAbout = (held: MintedToken): boolean =>
      (about.reportId ?? held.reportId) === held.reportId &&
      (about.workspaceId ?? held.workspaceId) === held.workspaceId;
    this.reuse.forget((held) => (about.userId ?? held.userId) === held.userId && isAbout(held));
    this.shared.forget((held) => about.userId === null && isAbout(held));
  }

  private isGood({ token, at }: MintedToken, { endsAt }: Wanted): boolean {
    const promised = this.config.powerBi.minimumTokenMinutes * 60;
    return isReusable({ ...token, at }, this.clock.now(), promised, endsAt);
  }

  /**
   * The rights are looked at once more with the writing: what was taken away meanwhile is not handed out, and what would
   * outlive a right that was cut meanwhile is made anew.
   */
  private async issue(wanted: Wanted, signal: AbortSignal): Promise<HeldToken> {
    const { caller, report, access } = wanted;
    const minted = await this.minted(wanted, signal);
    const { token, at } = minted;
    const { endsAt, grantId } = await this.database.transaction(async (tx) => {
      const endsAt = await this.rights.checkAgain(caller, report, access, tx);
      const isCut = endsAt?.getTime() !== wanted.endsAt?.getTime();
      if (isCut && outlives({ ...token, at }, endsAt)) return { endsAt };
      return { endsAt, grantId: await this.record(tx, wanted, token) };
    });
    if (grantId === undefined) return this.issue({ ...wanted, endsAt }, signal);
    return { ...minted, grantId, userId: caller.id };
  }

  private async record(tx: EntityManager, wanted: Wanted, token: PbiEmbedToken): Promise<string> {
    const { caller, report, access, identities } = wanted;
    const { tokenId, expiresAt } = token;
    const [identity = null] = identities.map(({ username, roles }) => ({ username, roles }));
    const about = { userId: caller.id, reportId: report.id, workspaceId: report.workspaceId };
    const [grantId] = await Promise.all([
      this.grants.issue(tx, { ...about, tokenId, access, identity, expiresAt }),
      this.audit.record(tx, {
        action: 'embed_token_issued',
        actorId: caller.id,
        target: { type: 'report', id: report.id },
        details: { access, token_id: tokenId },
      }),
    ]);
    return grantId;
  }

  /** A new one; or, for somebody who is nobody inside the data, the one that others got for the same. */
  private async minted(wanted: Wanted, signal: AbortSignal): Promise<MintedToken> {
    const { report, identities, access } = wanted;
    const mint = async (until: AbortSignal): Promise<MintedToken> => {
      const token = await this.mint(wanted, until);
      return { token, at: this.clock.now(), reportId: report.id, workspaceId: report.workspaceId };
    };
    const isShared = this.config.powerBi.sharesTokens && identities.length === 0 && access === 'view';
    if (!isShared) return mint(signal);
    const key = JSON.stringify(opensOf(wanted));
    const held = this.shared.find(key);
    return held !== undefined && this.isGood(held, wanted) ? held : this.shared.share(key, signal, mint);
  }

  /** Scope and identity are ours; the caller chose a report and nothing else. */
  private async mint(wanted: Wanted, signal: AbortSignal): Promise<PbiEmbedToken> {
    const { report, access, identities, dataset, profileId, endsAt } = wanted;
    try {
      return await this.powerBi.generateToken({
        reports: [report.pbiReportId],
        datasets: report.pbiDatasetId === null ? [] : [report.pbiDatasetId],
        allowEdit: access === 'edit',
        identities,
        lifetimeMinutes: lifetimeMinutes(endsAt, this.clock.now()),
        profileId,
        signal,
      });
    } catch (error) {
      const lesson = identityLesson(error);
      if (lesson !== undefined && dataset !== null) await this.datasets.learn(dataset.id, lesson);
      throw error;
    }
  }
}

/** Everything that decides what a token opens and for how long. */
const opensOf = ({ report, access, dataset, identities, profileId, endsAt }: Wanted): unknown[] => [
  report.id,
  report.workspaceId,
  report.pbiReportId,
  report.pbiDatasetId,
  access,
  identities,
  profileId,
  dataset?.policyVersion,
  endsAt,
];

/** And for whom. */
const keyOf = (wanted: Wanted): string => JSON.stringify([wanted.caller.id, ...opensOf(wanted)]);
