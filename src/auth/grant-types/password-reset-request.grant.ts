import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../core/database/database.service.js';
import { PasswordResetRequestGrant } from '../dto/token-request.dto.js';
import { TokenLimitsService } from '../../platform/rate-limit/token-limits.service.js';
import { PasswordMailService } from '../passwords/password-mail.service.js';
import type { Grant } from './grant.js';

@Injectable()
export class PasswordResetRequestGrantHandler implements Grant<PasswordResetRequestGrant> {
  static readonly grantType = 'password_reset_request';
  static readonly usesPassword = true;
  static readonly body = PasswordResetRequestGrant;
  static readonly status = 202;

  constructor(
    private readonly limits: TokenLimitsService,
    private readonly mail: PasswordMailService,
    private readonly database: DatabaseService,
  ) {}

  /** Behaves the same for every address, so the response does not reveal whether an account exists. */
  async handle({ email }: PasswordResetRequestGrant): Promise<null> {
    await this.limits.countResetRequest();
    await this.database.transaction((tx) => this.mail.enqueueReset(tx, email));
    return null;
  }
}
