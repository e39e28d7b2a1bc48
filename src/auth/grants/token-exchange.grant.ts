import { Injectable } from '@nestjs/common';
import { TOKEN_EXCHANGE, TokenExchangeGrant } from '../dto/provider-grants.dto.js';
import type { OpenSession } from '../open-session.js';
import { Admission } from '../provider/admission.service.js';
import { SubjectTokens } from '../provider/subject-tokens.service.js';
import { SessionsService } from '../sessions.service.js';
import type { Grant } from './grant.js';

@Injectable()
export class TokenExchangeGrantHandler implements Grant<TokenExchangeGrant> {
  static readonly grantType = TOKEN_EXCHANGE;
  static readonly body = TokenExchangeGrant;
  static readonly status = 200;

  constructor(
    private readonly tokens: SubjectTokens,
    private readonly admission: Admission,
    private readonly sessions: SessionsService,
  ) {}

  handle({ subject_token }: TokenExchangeGrant): Promise<OpenSession> {
    return this.admission.audited('exchange', async () => {
      const arrival = { claims: await this.tokens.verify(subject_token), refreshToken: undefined };
      return this.admission.admit(arrival, (tx, user) => this.sessions.open(tx, user.id, 'exchange'));
    });
  }
}
