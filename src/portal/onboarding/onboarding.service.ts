import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import type { OnboardingDto } from './dto/onboarding.dto.js';
import { OnboardingChecksService } from './onboarding-checks.service.js';
import { Onboarding } from './onboarding.entity.js';

@Injectable()
export class OnboardingService {
  constructor(
    private readonly database: DatabaseService,
    private readonly audit: AuditService,
    private readonly checks: OnboardingChecksService,
    private readonly clock: Clock,
  ) {}

  async get(caller: Principal): Promise<OnboardingDto> {
    const { dismissedAt } = await this.database.manager.findOneByOrFail(Onboarding, { id: 1 });
    return { items: await this.checks.list(caller), dismissed_at: dismissedAt };
  }

  async setDismissed(caller: Principal, isDismissed: boolean): Promise<OnboardingDto> {
    await this.database.transaction(async (tx) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const { dismissedAt } = await tx.findOneOrFail(Onboarding, { where: { id: 1 }, lock });
      const wasDismissed = dismissedAt !== null;
      if (wasDismissed === isDismissed) return;
      await tx.update(Onboarding, { id: 1 }, { dismissedAt: isDismissed ? this.clock.now() : null });
      await this.audit.record(tx, {
        action: 'onboarding_changed',
        actorId: caller.id,
        target: { type: 'settings', id: 'onboarding' },
        details: { diff: { dismissed: { from: wasDismissed, to: isDismissed } } },
      });
    });
    return this.get(caller);
  }
}
