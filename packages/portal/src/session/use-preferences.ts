import { useEffect } from 'react';
import { setLanguage } from '../i18n/index.js';
import { chooseTimeZone } from '../i18n/time-zone.js';
import { useMe } from './use-session.js';

/** Applies the language and the time zone of the signed-in person. */
export function usePreferences(): void {
  const { data: me } = useMe();
  const locale = me?.locale;
  const zone = me?.time_zone;
  useEffect(() => {
    if (locale !== undefined) void setLanguage(locale);
  }, [locale]);
  useEffect(() => {
    if (zone !== undefined) chooseTimeZone(zone);
  }, [zone]);
}
