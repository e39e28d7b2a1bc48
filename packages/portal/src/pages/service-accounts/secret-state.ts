import { t } from 'i18next';
import type { ServiceAccount } from './use-service-account.js';

const DAY_MS = 86_400_000;
/** Enough time to create another secret and deploy it. */
const SOON_DAYS = 30;

export interface SecretState {
  color: 'red' | 'orange' | 'gray';
  text: string;
}

const daysUntil = (instant: string, now: number): number => Math.ceil((Date.parse(instant) - now) / DAY_MS);

/** The state of the unexpired secrets of an account. */
export function secretState({ secrets }: Pick<ServiceAccount, 'secrets'>, now = Date.now()): SecretState {
  const days = secrets.map(({ expires_at }) => daysUntil(expires_at, now));
  const last = Math.max(...days);
  if (days.length === 0) return { color: 'red', text: t("No secret, can't sign in") };
  if (last <= SOON_DAYS) {
    return { color: 'orange', text: t('Last secret expires in {{count}} days', { count: last }) };
  }
  return { color: 'gray', text: t('{{count}} secrets', { count: days.length }) };
}

export const expiresSoon = (expiresAt: string, now = Date.now()): boolean =>
  daysUntil(expiresAt, now) <= SOON_DAYS;
