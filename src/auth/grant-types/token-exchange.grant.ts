import { Injectable } from '@nestjs/common';
import { TOKEN_EXCHANGE, TokenExchangeGrant } from '../dto/provider-grants.dto.js';
import type { OpenSession } from '../../sessions/issued-session.js';
import { Admission } from '../../oidc/oidc-provisioning.service.js';
import { ExchangedTokens } from '../../oidc/exchanged-tokens.service.js';
import { SubjectTokens } from '../../oidc/subject-tokens.service.js';
import type { Grant } from './grant.js';

@Injectable()
export class TokenExchangeGrantHandler implements Grant<TokenExchangeGrant> {
  static readonly grantType = TOKEN_EXCHANGE;
  static readonly body = TokenExchangeGrant;
  static readonly status = 200;

  constructor(
    private readonly tokens: SubjectTokens,
    private readonly admission: Admission,
    private readonly exchanged: ExchangedTokens,
  ) {}

  handle({ subject_token }: TokenExchangeGrant): Promise<OpenSession> {
    return this.admission.audited('exchange', async () => {
      const token = await this.tokens.verify(subject_token);
      const arrival = { claims: token.claims, refreshToken: undefined };
      return this.admission.admit(arrival, (tx, user) => this.exchanged.open(tx, token, user.id));
    });
  }
}
