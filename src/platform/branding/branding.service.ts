import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { type Differences, differences } from '../audit/differences.js';
import { Clock } from '../../core/clock.js';
import { CacheInvalidationService } from '../../core/database/cache-invalidation.service.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { InvalidRequest } from '../../core/problems/problem.js';
import { Branding, BrandingImage } from './branding.entity.js';
import { type BrandingSettings, type CurrentBranding, readBranding } from './branding.queries.js';
import { defaultBranding, type ImageKind } from './default-branding.js';
import type { UpdateBrandingDto } from './dto/branding.dto.js';
import { examineImage } from './image-file.js';

type Actor = Pick<Principal, 'id'>;

@Injectable()
export class BrandingService {
  constructor(
    private readonly database: DatabaseService,
    private readonly changes: CacheInvalidationService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  get(): Promise<CurrentBranding> {
    return readBranding(this.database.manager);
  }

  /** Replaces all settings: what is omitted or null gets its default. */
  update(caller: Actor, dto: UpdateBrandingDto): Promise<CurrentBranding> {
    return this.database.transaction(async (tx) => {
      const row = await lock(tx);
      const next = settingsOf(dto);
      const diff = differences(row, next);
      if (Object.keys(diff).length > 0) {
        await tx.update(Branding, { id: 1 }, { ...next, updatedAt: this.clock.now() });
        await this.record(tx, caller, diff);
      }
      return readBranding(tx);
    });
  }

  /** Throws InvalidRequest, which names the image. */
  setImage(caller: Actor, kind: ImageKind, content: Buffer): Promise<CurrentBranding> {
    const examined = examineImage(content);
    if ('problem' in examined) throw new InvalidRequest([{ pointer: `/${kind}`, detail: examined.problem }]);
    const hash = createHash('sha256').update(content).digest('hex');
    return this.database.transaction(async (tx) => {
      await lock(tx);
      const before = await tx.findOneBy(BrandingImage, { kind });
      if (before?.hash !== hash) {
        const { mediaType } = examined;
        await tx.upsert(BrandingImage, { kind, hash, mediaType, content, updatedAt: this.clock.now() }, [
          'kind',
        ]);
        await this.recordImage(tx, caller, { kind, from: before?.hash ?? null, to: hash });
      }
      return readBranding(tx);
    });
  }

  /** Does nothing if there is none. */
  async removeImage(caller: Actor, kind: ImageKind): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lock(tx);
      const before = await tx.findOneBy(BrandingImage, { kind });
      if (before === null) return;
      await tx.delete(BrandingImage, { kind });
      await this.recordImage(tx, caller, { kind, from: before.hash, to: null });
    });
  }

  /** The audit trail names the content by its hash. */
  private async recordImage(
    tx: EntityManager,
    caller: Actor,
    { kind, from, to }: { kind: ImageKind; from: string | null; to: string | null },
  ): Promise<void> {
    await tx.update(Branding, { id: 1 }, { updatedAt: this.clock.now() });
    await this.record(tx, caller, { [kind.replace('-', '_')]: { from, to } });
  }

  private async record(tx: EntityManager, { id: actorId }: Actor, diff: Differences): Promise<void> {
    this.changes.publish(tx, 'branding');
    await this.audit.record(tx, {
      action: 'branding_changed',
      actorId,
      target: { type: 'settings', id: 'branding' },
      details: { diff },
    });
  }
}

/** Serializes changes, so that each audit event has the values before it. */
async function lock(tx: EntityManager): Promise<Branding> {
  return tx.findOneOrFail(Branding, { where: { id: 1 }, lock: { mode: 'for_no_key_update' } });
}

/** A default is stored as null. */
const unlessDefault = (value: string | undefined, fallback: string): string | null =>
  value === undefined || value === fallback ? null : value;

function settingsOf(dto: UpdateBrandingDto): Omit<BrandingSettings, 'updatedAt'> {
  return {
    productName: unlessDefault(dto.product_name?.trim(), defaultBranding.productName),
    primaryColor: unlessDefault(dto.primary_color?.toLowerCase(), defaultBranding.primaryColor),
    signInText: dto.sign_in_text?.trim() ?? null,
    supportUrl: dto.support_url ?? null,
    senderName: dto.sender_name?.trim() ?? null,
  };
}
