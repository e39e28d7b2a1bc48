import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { PasswordRejected } from './users.errors.js';

/** OWASP's minimum for argon2id. A stored hash below it is renewed at the next sign-in. */
const ARGON2ID = 2;
const floor = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const floorPrefix = `$argon2id$v=19$m=${floor.memoryCost},t=${floor.timeCost},p=${floor.parallelism}$`;

/** Verified against when there is no account, so that the answer takes as long. */
const dummyHash = `${floorPrefix}AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`;

const MIN_LENGTH = 15;
const MAX_LENGTH = 128;

@Injectable()
export class Passwords {
  /** Throws PasswordRejected with the reason. */
  async hash(password: string): Promise<string> {
    const { length } = [...password];
    if (length < MIN_LENGTH || length > MAX_LENGTH) {
      throw new PasswordRejected(`A password has ${MIN_LENGTH} to ${MAX_LENGTH} characters.`);
    }
    return this.hashUnchecked(password);
  }

  /** For a password that an account has already, whatever the rules say today. */
  hashUnchecked(password: string): Promise<string> {
    return hash(password.normalize('NFKC'), floor);
  }

  /** Takes as long for an account that has no password, or is none. */
  async verify(stored: string | null | undefined, password: string): Promise<boolean> {
    const matches = await verify(stored ?? dummyHash, password.normalize('NFKC'));
    return matches && stored !== null && stored !== undefined;
  }

  isBelowFloor(stored: string): boolean {
    return !stored.startsWith(floorPrefix);
  }
}
