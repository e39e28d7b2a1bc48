import { Group, Select, Switch } from '@mantine/core';
import { periods, usePeriod } from './period.js';

/** The period of all figures of the page, in the URL. */
export function PeriodPicker() {
  const { period, excludeAdmins, setDays, setExcludeAdmins } = usePeriod();
  return (
    <Group gap="md">
      <Select
        aria-label="Period"
        w={180}
        data={periods.map(({ value, label }) => ({ value, label }))}
        value={period.value}
        onChange={setDays}
        allowDeselect={false}
      />
      <Switch
        label="Exclude admins"
        checked={excludeAdmins}
        onChange={(event) => setExcludeAdmins(event.currentTarget.checked)}
      />
    </Group>
  );
}
