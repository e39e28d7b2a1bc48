import { randomBytes } from 'node:crypto';
import type { Person } from '../content/people.js';
import type { Clock } from '../core/clock.js';

/** What a user granted to an app. */
export interface Consent {
  clientId: string;
  person: Person;
  /** Of the access token. */
  audience: string;
  /** Permissions for that audience. */
  permissions: string[];
  /** `openid`, `profile`, `email`, `offline_access`. */
  openid: string[];
  nonce?: string;
}

/** An authorization code, which is valid once. */
export interface Code extends Consent {
  redirectUri: string;
  challenge?: { value: string; method: 'plain' | 'S256' };
  redeemed: boolean;
  expires: number;
}

/** A device code, which waits until a user approves or declines it. */
export interface DeviceCode extends Omit<Consent, 'person'> {
  userCode: string;
  decision?: Person | 'declined';
  expires: number;
}

interface RefreshToken extends Consent {
  expires: number;
}

export const codeSeconds = 600;
export const deviceCodeSeconds = 900;
const refreshTokenSeconds = 90 * 86_400;

/** Codes and refresh tokens that Entra issued. */
export class SignIns {
  private readonly codes = new Map<string, Code>();
  private readonly refreshTokens = new Map<string, RefreshToken>();
  private readonly deviceCodes = new Map<string, DeviceCode>();

  constructor(private readonly clock: Clock) {}

  clear(): void {
    for (const map of [this.codes, this.refreshTokens, this.deviceCodes]) map.clear();
  }

  addCode(code: Omit<Code, 'redeemed' | 'expires'>): string {
    const value = `1.${secret()}`;
    this.codes.set(value, { ...code, redeemed: false, expires: this.clock.seconds() + codeSeconds });
    return value;
  }

  findCode(value: string): Code | undefined {
    return this.codes.get(value);
  }

  addRefreshToken(consent: Consent): string {
    const value = `1.${secret()}`;
    this.refreshTokens.set(value, { ...consent, expires: this.clock.seconds() + refreshTokenSeconds });
    return value;
  }

  findRefreshToken(value: string): RefreshToken | undefined {
    return this.refreshTokens.get(value);
  }

  addDeviceCode(code: Omit<DeviceCode, 'userCode' | 'expires'>): [string, DeviceCode] {
    const expires = this.clock.seconds() + deviceCodeSeconds;
    const entry = { ...code, userCode: userCode(), expires };
    const value = `D${secret()}`;
    this.deviceCodes.set(value, entry);
    return [value, entry];
  }

  findDeviceCode(value: string): DeviceCode | undefined {
    return this.deviceCodes.get(value);
  }

  removeDeviceCode(value: string): void {
    this.deviceCodes.delete(value);
  }

  /** The device code that waits for the user with this code. */
  findByUserCode(code: string | undefined): DeviceCode | undefined {
    const wanted = code?.trim().toUpperCase();
    return [...this.deviceCodes.values()].find(
      (each) => each.userCode === wanted && !each.decision && !this.isOver(each),
    );
  }

  isOver({ expires }: { expires: number }): boolean {
    return expires <= this.clock.seconds();
  }
}

const secret = (): string => randomBytes(48).toString('base64url');

/** Nine letters and digits that cannot be confused. */
function userCode(): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return [...randomBytes(9)].map((byte) => letters[byte % letters.length]).join('');
}
