import type { ServiceAccount } from './use-service-account.js';

const DAY_MS = 86_400_000;
/** Early enough to have another one made and carried to where it is used. */
const SOON_DAYS = 30;

export interface SecretState {
  color: 'red' | 'orange' | 'gray';
  text: string;
}

const daysUntil = (instant: string, now: number): number => Math.ceil((Date.parse(instant) - now) / DAY_MS);

/** What has to be done about the secrets of an account, if anything. Those that ran out are not among them. */
export function secretState({ secrets }: Pick<ServiceAccount, 'secrets'>, now = Date.now()): SecretState {
  const days = secrets.map(({ expires_at }) => daysUntil(expires_at, now));
  const last = Math.max(...days);
  if (days.length === 0) return { color: 'red', text: 'No secret: cannot sign in' };
  if (last <= SOON_DAYS) {
    return { color: 'orange', text: `The last secret ends in ${last === 1 ? '1 day' : `${last} days`}` };
  }
  return { color: 'gray', text: days.length === 1 ? '1 secret' : '2 secrets' };
}

export const endsSoon = (expiresAt: string, now = Date.now()): boolean =>
  daysUntil(expiresAt, now) <= SOON_DAYS;
