import { Group, Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { type DayRange, rangeOf, today } from './days.js';
import { CUSTOM, periods, usePeriod } from './period.js';

const choices = () => [
  ...periods.map(({ value, label }) => ({ value, label: t(label) })),
  { value: CUSTOM, label: t('Custom range') },
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
    <Group gap="sm" role="group" aria-label={t('Custom range')} align="flex-start">
      <TextInput
        type="date"
        label={t('From')}
        value={typed.from}
        max={typed.to}
        onChange={({ currentTarget }) => set({ from: currentTarget.value })}
        error={isWrong && t('Must not be after the end date')}
      />
      <TextInput
        type="date"
        label={t('To')}
        value={typed.to}
        min={typed.from}
        max={today()}
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
        label={t('Period')}
        w={180}
        data={choices()}
        value={period.value}
        onChange={setPeriod}
        allowDeselect={false}
      />
      {range !== undefined && <Dates range={range} onChange={setRange} />}
      <Switch
        mb={8}
        label={t('Compare with previous period')}
        checked={compares}
        onChange={(event) => setCompares(event.currentTarget.checked)}
      />
      <Switch
        mb={8}
        label={t('Exclude administrators')}
        checked={excludeAdmins}
        onChange={(event) => setExcludeAdmins(event.currentTarget.checked)}
      />
    </Group>
  );
}
