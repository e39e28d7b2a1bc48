import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { Section } from './section.js';

const schemes: { value: MantineColorScheme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'As the system' },
];

export function ColourScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="Colours" lead="Kept in this browser.">
      <SegmentedControl
        aria-label="Colours"
        data={schemes}
        value={colorScheme}
        onChange={setColorScheme}
        style={{ alignSelf: 'flex-start' }}
      />
    </Section>
  );
}
