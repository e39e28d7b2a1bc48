import { t } from 'i18next';
import { useNow } from '../../components/use-now.js';
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
export function useSecretState({ secrets }: Pick<ServiceAccount, 'secrets'>): SecretState {
  const count = useNow((now) => secrets.filter(({ expires_at }) => Date.parse(expires_at) > now).length);
  const last = useNow((now) => Math.max(...secrets.map(({ expires_at }) => daysUntil(expires_at, now))));
  if (count === 0) return { color: 'red', text: t("No secret, can't sign in") };
  if (last <= SOON_DAYS) {
    return { color: 'orange', text: t('Last secret expires in {{count}} days', { count: last }) };
  }
  return { color: 'gray', text: t('{{count}} secrets', { count }) };
}

export const useExpiresSoon = (expiresAt: string): boolean =>
  useNow((now) => daysUntil(expiresAt, now) <= SOON_DAYS);
