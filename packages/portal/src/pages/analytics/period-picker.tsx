import { Group, Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { addDays, type DayRange, rangeOf, today } from './days.js';
import { CUSTOM, periods, usePeriod } from './period.js';

const choices = [
  ...periods.map(({ value, label }) => ({ value, label })),
  { value: CUSTOM, label: 'Custom dates' },
];

interface DatesProps {
  range: DayRange;
  onChange: (range: DayRange) => void;
}

/** A first and a last day. What is typed takes effect when both are days in this order. */
function Dates({ range, onChange }: DatesProps) {
  const [typed, setTyped] = useState(range);
  const set = (changed: Partial<DayRange>): void => {
    const next = { ...typed, ...changed };
    setTyped(next);
    const valid = rangeOf(next.from, next.to);
    if (valid !== undefined) onChange(valid);
  };
  const isWrong = typed.from !== '' && typed.to !== '' && typed.from > typed.to;
  return (
    <Group gap="sm" role="group" aria-label="Custom dates" align="flex-start">
      <TextInput
        type="date"
        label="From"
        value={typed.from}
        max={typed.to}
        onChange={({ currentTarget }) => set({ from: currentTarget.value })}
        error={isWrong && 'After the last day'}
      />
      <TextInput
        type="date"
        label="To"
        value={typed.to}
        min={typed.from}
        max={addDays(today(), 1)}
        onChange={({ currentTarget }) => set({ to: currentTarget.value })}
      />
    </Group>
  );
}

/** The period of all figures of the page, in the URL. */
export function PeriodPicker() {
  const { period, range, excludeAdmins, compares, setPeriod, setRange, setExcludeAdmins, setCompares } =
    usePeriod();
  return (
    <Group gap="md" align="flex-end">
      <Select
        label="Period"
        w={180}
        data={choices}
        value={period.value}
        onChange={setPeriod}
        allowDeselect={false}
      />
      {range !== undefined && <Dates range={range} onChange={setRange} />}
      <Switch
        mb={8}
        label="Compare with the period before"
        checked={compares}
        onChange={(event) => setCompares(event.currentTarget.checked)}
      />
      <Switch
        mb={8}
        label="Exclude admins"
        checked={excludeAdmins}
        onChange={(event) => setExcludeAdmins(event.currentTarget.checked)}
      />
    </Group>
  );
}
