import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { ACCESS_TOKEN_SECONDS } from './sessions/issued-session.js';
import { SigningKeys } from './signing-keys.js';

export const AUDIENCE = 'vitrine';

/** RFC 9068: prevents the use of an ID token or a refresh token as an access token. */
export const TOKEN_TYPE = 'at+jwt';

/** Contains no roles: they are resolved per request, so a change applies immediately. */
export interface AccessClaims {
  iss: string;
  aud: string;
  sub: string;
  sid: string;
  jti: string;
  iat: number;
  exp: number;
}

@Injectable()
export class AccessTokensService {
  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  issue(userId: string, sessionId: string): Promise<string> {
    const { kid, privateKey } = this.keys.signer;
    const iat = Math.floor(this.clock.now().getTime() / 1000);
    const claims: AccessClaims = {
      iss: this.config.http.publicUrl,
      aud: AUDIENCE,
      sub: userId,
      sid: sessionId,
      jti: uuidv7(),
      iat,
      exp: iat + ACCESS_TOKEN_SECONDS,
    };
    return this.jwt.signAsync(claims, {
      privateKey,
      algorithm: 'RS256',
      header: { alg: 'RS256', typ: TOKEN_TYPE, kid },
    });
  }
}
