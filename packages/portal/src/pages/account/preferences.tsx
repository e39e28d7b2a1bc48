import { Select, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyProblem } from '../../components/notify.js';
import { languages } from '../../i18n/index.js';
import type { Me } from '../../session/use-session.js';
import { Section } from './section.js';
import { type ProfileChanges, useUpdateProfile } from './use-update-profile.js';

const BROWSER = 'browser';

const languageOf = (value: string | null): ProfileChanges['locale'] =>
  value === 'en' || value === 'de' ? value : null;

/** Language and time zone of the portal and of emails. */
export function Preferences({ me }: { me: Me }) {
  const { t } = useTranslation();
  const update = useUpdateProfile(() => notifyDone(t('Your preferences were saved.')));
  const save = (changes: ProfileChanges) => update.mutate(changes, { onError: notifyProblem });
  // Browsers list some zones by an older name.
  const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), me.time_zone ?? 'UTC'])];
  return (
    <Section title={t('Language and time zone')} lead={t('For this portal and the emails that you receive.')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          id="account-language"
          label={t('Language')}
          data={[
            { value: BROWSER, label: t('Browser language') },
            ...Object.entries(languages).map(([value, label]) => ({ value, label })),
          ]}
          value={me.locale ?? BROWSER}
          onChange={(value) => save({ locale: languageOf(value) })}
          allowDeselect={false}
        />
        <Select
          id="account-time-zone"
          label={t('Time zone')}
          data={[
            { value: BROWSER, label: t('Browser time zone') },
            ...zones.map((zone) => ({ value: zone, label: zone })),
          ]}
          value={me.time_zone ?? BROWSER}
          onChange={(value) => save({ time_zone: value === BROWSER ? null : value })}
          searchable
          // It gets focus again when the page is mounted again.
          openOnFocus={false}
          limit={100}
          nothingFoundMessage={t('No time zones match')}
          allowDeselect={false}
        />
      </SimpleGrid>
    </Section>
  );
}
