import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { currentTimeZone } from '../../i18n/format.js';
import { fromLocalTime, toLocalTime } from '../../i18n/local-time.js';
import { translated } from '../../i18n/options.js';
import { ranges } from './use-audit-filters.js';

const CUSTOM = 'custom';
const choices = Object.entries(ranges).map(([value, { label }]) => ({ value, label }));

const toLocal = (instant: string | null): string => (instant === null ? '' : toLocalTime(instant));
const toInstant = (local: string): string | null => (local === '' ? null : fromLocalTime(local));

interface Props {
  parameters: URLSearchParams;
  change: (changes: Record<string, string | null>) => void;
}

export function TimeFilter({ parameters, change }: Props) {
  const within = parameters.get('within');
  const [isChosen, setIsChosen] = useState(false);
  const hasTimes = parameters.has('from') || parameters.has('to');
  const isCustom = within === null && (isChosen || hasTimes);
  const [hadTimes, setHadTimes] = useState(hasTimes);
  if (hadTimes !== hasTimes) {
    setHadTimes(hasTimes);
    // All filters were cleared.
    if (!hasTimes) setIsChosen(false);
  }
  const choose = (value: string | null): void => {
    setIsChosen(value === CUSTOM);
    change({ within: value === CUSTOM ? null : value, from: null, to: null });
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
            label={t('From')}
            description={currentTimeZone()}
            defaultValue={toLocal(parameters.get('from'))}
            onChange={({ currentTarget }) => change({ from: toInstant(currentTarget.value) })}
          />
          <TextInput
            type="datetime-local"
            label={t('To')}
            description={currentTimeZone()}
            defaultValue={toLocal(parameters.get('to'))}
            onChange={({ currentTarget }) => change({ to: toInstant(currentTarget.value) })}
          />
        </SimpleGrid>
      )}
    </>
  );
}
