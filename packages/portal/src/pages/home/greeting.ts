import { t } from 'i18next';

/** By the clock of the person's device. */
export function greeting(name: string | undefined, hour = new Date().getHours()): string {
  const person = name?.trim().split(/\s+/)[0];
  if (person === undefined || person === '') return t('Welcome');
  if (hour < 4 || hour >= 18) return t('Good evening, {{person}}', { person });
  return hour < 12 ? t('Good morning, {{person}}', { person }) : t('Good afternoon, {{person}}', { person });
}
