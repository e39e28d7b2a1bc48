import { t } from 'i18next';
import { useEffect } from 'react';
import { notifyFailure } from '../components/notify.js';
import { setLanguage } from '../i18n/index.js';
import { chooseTimeZone } from '../i18n/time-zone.js';
import { type Me, useMe } from './use-session.js';

/** Either can be left out. Another language or time zone mounts every page again. */
export function applyPreferences({ locale, time_zone }: Partial<Pick<Me, 'locale' | 'time_zone'>>): void {
  if (locale !== undefined)
    setLanguage(locale).catch(() =>
      notifyFailure(t('The texts of your language could not be loaded. Reload the page.')),
    );
  if (time_zone !== undefined) chooseTimeZone(time_zone);
}

/**
 * Applies the language and the time zone of the signed-in person once: a choice in another tab would end what is under way
 * in this one.
 */
export function usePreferences(): void {
  const { data: me } = useMe();
  useEffect(() => {
    if (me !== undefined) applyPreferences(me);
  }, [me?.id]);
}
