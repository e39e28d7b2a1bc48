import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { t } from 'i18next';
import { msg } from '../../i18n/index.js';
import { optionsOf } from '../../i18n/options.js';
import { Section } from './section.js';

const schemes: Record<MantineColorScheme, string> = {
  light: msg('Light'),
  dark: msg('Dark'),
  auto: msg('System'),
};

export function ThemePicker() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title={t('Theme')} lead={t('Saved in this browser.')}>
      <SegmentedControl
        aria-label={t('Theme')}
        data={optionsOf(schemes)}
        value={colorScheme}
        onChange={setColorScheme}
        style={{ alignSelf: 'flex-start' }}
      />
    </Section>
  );
}
