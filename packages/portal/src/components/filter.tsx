import { Select } from '@mantine/core';
import { useParameter } from './use-parameter.js';

interface Props<V extends string> {
  label: string;
  /** The parameter of the page's address that it is kept in. */
  parameter: string;
  options: { value: V; label: string }[];
}

/** What a filter says, if that is one of its options. */
export function useFilter<V extends string>(parameter: string, options: { value: V }[]): V | undefined {
  const [given] = useParameter(parameter);
  return options.find(({ value }) => value === given)?.value;
}

/** Leaves a part of a list; nothing chosen: all of it. */
export function Filter<V extends string>({ label, parameter, options }: Props<V>) {
  const chosen = useFilter(parameter, options) ?? null;
  const [, choose] = useParameter(parameter);
  return (
    <Select
      w={{ base: '100%', xs: 180 }}
      aria-label={label}
      placeholder={label}
      data={options}
      value={chosen}
      onChange={choose}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  );
}
