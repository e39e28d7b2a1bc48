import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { choicesOf } from './audit-words.js';
import { ranges } from './use-audit-filters.js';

const BETWEEN = 'between';
const choices = [...choicesOf(ranges), { value: BETWEEN, label: 'Between…' }];

/** What a field for date and time shows of an instant, and the other way round: both in the browser's time zone. */
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
  const [asked, setAsked] = useState(false);
  const isBetween = within === null && (asked || parameters.has('from') || parameters.has('to'));
  const choose = (value: string | null): void => {
    setAsked(value === BETWEEN);
    change({ within: value === BETWEEN ? null : value, from: null, to: null });
  };
  return (
    <>
      <Select
        label="When"
        placeholder="Any time"
        data={choices}
        value={isBetween ? BETWEEN : within}
        onChange={choose}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear When' }}
      />
      {isBetween && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ gridColumn: '1 / -1' }}>
          <TextInput
            type="datetime-local"
            label="From"
            defaultValue={toLocal(parameters.get('from'))}
            onChange={({ currentTarget }) => change({ from: toInstant(currentTarget.value) })}
          />
          <TextInput
            type="datetime-local"
            label="To"
            defaultValue={toLocal(parameters.get('to'))}
            onChange={({ currentTarget }) => change({ to: toInstant(currentTarget.value) })}
          />
        </SimpleGrid>
      )}
    </>
  );
}
