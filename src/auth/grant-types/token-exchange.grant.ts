import { Injectable } from '@nestjs/common';
import { TOKEN_EXCHANGE, TokenExchangeGrant } from '../dto/token-request.dto.js';
import type { IssuedSession } from '../sessions/issued-session.js';
import { OidcProvisioningService } from '../oidc/oidc-provisioning.service.js';
import { ExchangedTokensService } from '../oidc/exchanged-tokens.service.js';
import { SubjectTokensService } from '../oidc/subject-tokens.service.js';
import type { Grant } from './grant.js';

@Injectable()
export class TokenExchangeGrantHandler implements Grant<TokenExchangeGrant> {
  static readonly grantType = TOKEN_EXCHANGE;
  static readonly body = TokenExchangeGrant;
  static readonly status = 200;

  constructor(
    private readonly tokens: SubjectTokensService,
    private readonly admission: OidcProvisioningService,
    private readonly exchanged: ExchangedTokensService,
  ) {}

  handle({ subject_token }: TokenExchangeGrant): Promise<IssuedSession> {
    return this.admission.audited('exchange', async () => {
      const token = await this.tokens.verify(subject_token);
      const arrival = { claims: token.claims, refreshToken: undefined, isExchanged: true };
      return this.admission.completeSignIn(arrival, (tx, user) => this.exchanged.open(tx, token, user.id));
    });
  }
}
