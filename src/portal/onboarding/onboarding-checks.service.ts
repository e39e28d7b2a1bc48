import { Injectable } from '@nestjs/common';
import { CurrentBrandingService } from '../../platform/branding/current-branding.service.js';
import { DatasetsService } from '../../catalogue/datasets.service.js';
import { SyncsService } from '../../catalogue/syncs.service.js';
import type { Principal } from '../../core/http/principal.js';
import { HealthService } from '../../health/health.service.js';
import type { HealthDto } from '../../health/dto/health.dto.js';
import { InvitationMailService } from '../../invitations/invitation-mail.service.js';
import { MailService } from '../../platform/mail/mail.service.js';
import type { OnboardingCode, OnboardingItemDto } from './dto/onboarding.dto.js';

type LastDelivery = Awaited<ReturnType<InvitationMailService['findLastDelivery']>>;

/** `missing` is undefined when the step is done. */
const item = (code: OnboardingCode, missing: string | undefined): OnboardingItemDto => ({
  code,
  done: missing === undefined,
  ...(missing !== undefined && { detail: missing }),
});

/**
 * Steps of a new installation. Reads rows and the health checks, which are cached for 15 s; `vitrine doctor` checks more
 * and calls Power BI for it.
 */
@Injectable()
export class OnboardingChecksService {
  constructor(
    private readonly health: HealthService,
    private readonly syncs: SyncsService,
    private readonly datasets: DatasetsService,
    private readonly invitations: InvitationMailService,
    private readonly mails: MailService,
    private readonly branding: CurrentBrandingService,
  ) {}

  async list(caller: Principal): Promise<OnboardingItemDto[]> {
    const { checks } = await this.health.get(caller);
    const isSynced = await this.syncs.hasSucceeded();
    const withoutPolicy = await this.datasets.countWithoutPolicy();
    const delivery = await this.invitations.findLastDelivery();
    const isBranded = await this.branding.isSet();
    const { power_bi: powerBi } = checks;
    return [
      item(
        'power_bi',
        powerBi.status === 'ok' ? undefined : (powerBi.detail ?? 'Power BI is not reachable.'),
      ),
      item('first_sync', isSynced ? undefined : 'No sync has succeeded yet.'),
      item('mail', this.missingInMail(checks.mail, delivery)),
      item('first_invitation', delivery === null ? 'No user has been invited yet.' : undefined),
      item('identity_policies', missingPolicies(isSynced, withoutPolicy)),
      item('branding', isBranded ? undefined : 'Product name, colours and logos are the defaults.'),
    ];
  }

  private missingInMail(check: HealthDto['checks']['mail'], last: LastDelivery): string | undefined {
    if (!this.mails.configured) return 'SMTP_URL is not set: administrators share links themselves.';
    if (check.status !== 'ok') return check.detail;
    if (last === null || last.delivery === 'not_configured') return 'No email has been sent yet.';
    if (last.deliveryError !== null) return `The last email was not delivered: ${last.deliveryError}`;
    return last.delivery === 'sent' ? undefined : 'The last email has not been sent yet.';
  }
}

function missingPolicies(isSynced: boolean, count: number): string | undefined {
  if (!isSynced) return 'No sync has succeeded yet.';
  if (count === 0) return undefined;
  return count === 1
    ? '1 dataset requires an identity and has no policy: its reports cannot be opened.'
    : `${count} datasets require an identity and have no policy: their reports cannot be opened.`;
}
