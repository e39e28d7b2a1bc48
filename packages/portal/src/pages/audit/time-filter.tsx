import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { currentTimeZone } from '../../i18n/format.js';
import { fromLocalTime, MAX_LOCAL_TIME, toLocalTime } from '../../i18n/local-time.js';
import { translated } from '../../i18n/options.js';
import { ranges } from './use-audit-filters.js';

const CUSTOM = 'custom';
const choices = Object.entries(ranges).map(([value, { label }]) => ({ value, label }));

const toLocal = (instant: string | null): string => (instant === null ? '' : toLocalTime(instant));

interface Props {
  parameters: URLSearchParams;
  change: (changes: Record<string, string | null>) => void;
}

export function TimeFilter({ parameters, change }: Props) {
  const within = parameters.get('within');
  const [isChosen, setIsChosen] = useState(false);
  const isCustom = within === null && (isChosen || parameters.has('from') || parameters.has('to'));
  const choose = (value: string | null): void => {
    setIsChosen(value === CUSTOM);
    change({ within: value === CUSTOM ? null : value, from: null, to: null });
  };
  const edit = (changes: Record<string, string | null>): void => {
    // An incomplete time is none, but its field must not disappear while it is edited.
    setIsChosen(true);
    change(changes);
  };
  return (
    <>
      <Select
        label={t('Time range')}
        placeholder={t('Any time')}
        data={[...translated(choices), { value: CUSTOM, label: t('Custom range') }]}
        value={isCustom ? CUSTOM : within}
        onChange={choose}
        clearable
        clearButtonProps={{ 'aria-label': t('Clear time range') }}
      />
      {isCustom && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ gridColumn: '1 / -1' }}>
          <TextInput
            type="datetime-local"
            max={MAX_LOCAL_TIME}
            label={t('From')}
            description={currentTimeZone()}
            defaultValue={toLocal(parameters.get('from'))}
            onChange={({ currentTarget }) => edit({ from: fromLocalTime(currentTarget.value) })}
          />
          <TextInput
            type="datetime-local"
            max={MAX_LOCAL_TIME}
            label={t('To')}
            description={currentTimeZone()}
            defaultValue={toLocal(parameters.get('to'))}
            onChange={({ currentTarget }) => edit({ to: fromLocalTime(currentTarget.value) })}
          />
        </SimpleGrid>
      )}
    </>
  );
}
