import { Injectable } from '@nestjs/common';
import { AuditDenialsService } from '../../platform/audit/audit-denials.service.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { InvalidCredentials } from '../sessions/sessions.errors.js';
import { ClientCredentialsGrant } from '../dto/token-request.dto.js';
import { TokenLimitsService } from '../../platform/rate-limit/token-limits.service.js';
import type { IssuedSession } from '../sessions/issued-session.js';
import { ServiceAccountSecretsService } from '../service-accounts/service-account-secrets.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { Grant } from './grant.js';

@Injectable()
export class ClientCredentialsGrantHandler implements Grant<ClientCredentialsGrant> {
  static readonly grantType = 'client_credentials';
  static readonly body = ClientCredentialsGrant;
  static readonly status = 200;

  constructor(
    private readonly limits: TokenLimitsService,
    private readonly secrets: ServiceAccountSecretsService,
    private readonly sessions: SessionsService,
    private readonly database: DatabaseService,
    private readonly denials: AuditDenialsService,
  ) {}

  /** Throws the same InvalidCredentials for every failure. Issues no refresh token: the client keeps its secret. */
  async handle({ client_id, client_secret }: ClientCredentialsGrant): Promise<IssuedSession> {
    const session = await this.limits.lookUpClient(client_id, () => this.open(client_id, client_secret));
    if (session !== null) return session;
    await this.recordFailure();
    throw new InvalidCredentials();
  }

  private open(clientId: string, secret: string): Promise<IssuedSession | null> {
    return this.database.transaction(async (tx) => {
      const accountId = await this.secrets.use(tx, clientId, secret);
      if (accountId === null) return null;
      const { id, userId } = await this.sessions.open(tx, accountId, 'client');
      return { id, userId };
    });
  }

  private recordFailure(): Promise<void> {
    const entry = { action: 'sign_in_failed', actorId: null, details: { method: 'client' } } as const;
    return this.denials.record(entry);
  }
}
