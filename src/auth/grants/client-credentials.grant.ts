import { Injectable } from '@nestjs/common';
import { AuditDenials } from '../../audit/audit-denials.service.js';
import { requestContext } from '../../common/request-context.js';
import { Database } from '../../database/database.service.js';
import { InvalidCredentials } from '../auth.errors.js';
import { ClientCredentialsGrant } from '../dto/token-request.dto.js';
import type { OpenSession } from '../open-session.js';
import { ServiceAccountSecrets } from '../service-accounts/service-account-secrets.service.js';
import { SessionsService } from '../sessions.service.js';
import type { Grant } from './grant.js';

@Injectable()
export class ClientCredentialsGrantHandler implements Grant<ClientCredentialsGrant> {
  static readonly grantType = 'client_credentials';
  static readonly body = ClientCredentialsGrant;
  static readonly status = 200;

  constructor(
    private readonly secrets: ServiceAccountSecrets,
    private readonly sessions: SessionsService,
    private readonly database: Database,
    private readonly denials: AuditDenials,
  ) {}

  /** One answer for every reason to refuse. No refresh token: the secret is there for that. */
  async handle({ client_id, client_secret }: ClientCredentialsGrant): Promise<OpenSession> {
    try {
      return await this.database.transaction(async (tx) => {
        const accountId = await this.secrets.use(tx, client_id, client_secret);
        if (accountId === null) throw new InvalidCredentials();
        const { id, userId } = await this.sessions.open(tx, accountId, 'client');
        return { id, userId };
      });
    } catch (error) {
      if (error instanceof InvalidCredentials) await this.recordFailure();
      throw error;
    }
  }

  private recordFailure(): Promise<void> {
    const entry = { action: 'sign_in_failed', actorId: null, details: { method: 'client' } } as const;
    return this.denials.record(entry, requestContext()?.ip);
  }
}
