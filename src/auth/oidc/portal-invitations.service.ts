import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Sealer } from '../../core/crypto/sealer.js';

export const INVITATION_SECONDS = 600;

const PURPOSE = 'portal-invitation';

/** Passes the secret of an invitation to `/login` in a sealed cookie; in a URL it would be logged. */
@Injectable()
export class PortalInvitationsService {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  seal(secret: string): string {
    const text = JSON.stringify({ secret, until: this.clock.in(INVITATION_SECONDS).getTime() });
    return this.sealer.seal(PURPOSE, text).toString('base64url');
  }

  open(sealed: string | undefined): string | undefined {
    const text = this.sealer.open(PURPOSE, Buffer.from(sealed ?? '', 'base64url'));
    if (text === undefined) return undefined;
    const { secret, until } = JSON.parse(text) as { secret: string; until: number };
    return until > this.clock.now().getTime() ? secret : undefined;
  }
}
