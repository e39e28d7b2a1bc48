import { Injectable, type PipeTransform } from '@nestjs/common';
import { InvalidRequest } from '../core/problems/problem.js';
import { validationPipe } from '../core/validation/validation.js';
import { Config } from '../core/config/config.js';
import { PasswordSignInDisabled, UnsupportedGrantType } from './auth.errors.js';
import type { GrantType } from './grant-types/grant.js';
import { grantTypes } from './grant-types/grant-types.js';
import type { TokenRequest } from './token.service.js';

/** Validates the body against the class of its `grant_type`. */
@Injectable()
export class TokenRequestPipe implements PipeTransform<unknown, Promise<TokenRequest>> {
  private readonly validation = validationPipe();

  constructor(private readonly config: Config) {}

  async transform(body: unknown): Promise<TokenRequest> {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new InvalidRequest([{ pointer: '', detail: 'the body must be a JSON object' }]);
    }
    const type = this.grantTypeOf('grant_type' in body ? body.grant_type : undefined);
    if (type.usesPassword === true && !this.config.passwordSignIn) throw new PasswordSignInDisabled();
    const metadata = { type: 'body', metatype: type.body } as const;
    return { type, body: (await this.validation.transform(body, metadata)) as object };
  }

  private grantTypeOf(requested: unknown): GrantType {
    const type = grantTypes.find(({ grantType }) => grantType === requested);
    if (type !== undefined) return type;
    throw new UnsupportedGrantType(grantTypes.flatMap(({ grantType }) => grantType ?? []));
  }
}
