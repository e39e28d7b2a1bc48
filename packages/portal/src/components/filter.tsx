import { Select } from '@mantine/core';
import { t } from 'i18next';
import { useParameter } from './use-parameter.js';

interface Props<V extends string> {
  label: string;
  /** The URL parameter that contains the value. */
  parameter: string;
  /** Labels are marked with `msg()`. */
  options: { value: V; label: string }[];
}

/** The selected option of a filter. */
export function useFilter<V extends string>(parameter: string, options: { value: V }[]): V | undefined {
  const [given] = useParameter(parameter);
  return options.find(({ value }) => value === given)?.value;
}

/** Filters a list by one value. */
export function Filter<V extends string>({ label, parameter, options }: Props<V>) {
  const selected = useFilter(parameter, options) ?? null;
  const [, select] = useParameter(parameter);
  return (
    <Select
      w={{ base: '100%', xs: 200 }}
      aria-label={label}
      placeholder={label}
      data={options.map((option) => ({ ...option, label: t(option.label) }))}
      value={selected}
      onChange={select}
      clearable
      clearButtonProps={{ 'aria-label': t('Clear filter: {{filter}}', { filter: label }) }}
    />
  );
}
