import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { translated } from '../../i18n/options.js';
import { ranges } from './use-audit-filters.js';

const CUSTOM = 'custom';
const choices = Object.entries(ranges).map(([value, { label }]) => ({ value, label }));

/** Conversions between an instant and the value of a `datetime-local` field, in the browser's time zone. */
function toLocal(instant: string | null): string {
  if (instant === null || Number.isNaN(Date.parse(instant))) return '';
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
const toInstant = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

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
            defaultValue={toLocal(parameters.get('from'))}
            onChange={({ currentTarget }) => change({ from: toInstant(currentTarget.value) })}
          />
          <TextInput
            type="datetime-local"
            label={t('To')}
            defaultValue={toLocal(parameters.get('to'))}
            onChange={({ currentTarget }) => change({ to: toInstant(currentTarget.value) })}
          />
        </SimpleGrid>
      )}
    </>
  );
}
