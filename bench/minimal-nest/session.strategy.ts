import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Pool } from 'pg';
import { read } from '../floor-parts.js';

export interface User {
  id: string;
  role: string;
}

const session = {
  name: 'session',
  text: `SELECT users.id, users.role FROM sessions JOIN users ON users.id = user_id
    WHERE sessions.id = $1 AND user_id = $2 AND ended_at IS NULL AND sessions.expires_at > now() AND status = 'active'`,
};

/** A signed token whose session is in the database. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy) {
  constructor(private readonly pool: Pool) {
    const [first] = read<{ keys: JsonWebKey[] }>('JWT_KEYS_FILE').keys;
    const { kty, n, e } = first as JsonWebKey;
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      algorithms: ['RS256'],
      secretOrKey: createPublicKey({ key: { kty, n, e }, format: 'jwk' }) as unknown as string,
    });
  }

  async validate({ sub, sid }: { sub: string; sid: string }): Promise<User | null> {
    const { rows } = await this.pool.query<User>({ ...session, values: [sid, sub] });
    return rows[0] ?? null;
  }
}
