import { Injectable, type PipeTransform } from '@nestjs/common';
import { InvalidRequest } from '../common/problem.js';
import { validationPipe } from '../common/validation.js';
import { UnsupportedGrantType } from './auth.errors.js';
import { grants, PasswordGrant, type TokenRequest } from './dto/token-request.dto.js';

const isGrant = (type: unknown): type is keyof typeof grants =>
  typeof type === 'string' && Object.hasOwn(grants, type);

/** The one route with several kinds of body: `grant_type` says which one to hold it against. */
@Injectable()
export class TokenRequestPipe implements PipeTransform<unknown, Promise<TokenRequest>> {
  private readonly validation = validationPipe();

  async transform(body: unknown): Promise<TokenRequest> {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new InvalidRequest([{ pointer: '', detail: 'the body must be a JSON object' }]);
    }
    const type: unknown = 'grant_type' in body ? body.grant_type : undefined;
    if (type !== undefined && !isGrant(type)) throw new UnsupportedGrantType(Object.keys(grants));
    const metatype = type === undefined ? PasswordGrant : grants[type];
    return (await this.validation.transform(body, { type: 'body', metatype })) as TokenRequest;
  }
}
