import { Loader, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ProblemError } from '../api/problem.js';
import type { Choice, Source } from '../api/sources.js';
import { wordsOf } from '../api/words.js';

/** What a form has to say about a picker. */
export interface PickerProps {
  label: string;
  /** The id of what is chosen. */
  value?: string | null;
  onChange: (id: string | null) => void;
  description?: ReactNode;
  error?: ReactNode;
  placeholder?: string;
  required?: boolean;
  disabled?: boolean;
}

/** How many are offered at a time; who wants another one goes on typing. */
const OFFERED = 20;

const others = { value: '', label: 'There are more: type a part of the name', disabled: true };

const titleOf = (error: unknown): string | undefined =>
  error instanceof ProblemError ? wordsOf(error).title : undefined;

/** What is chosen, and what else there is to choose by what was typed. */
function useChoices({ kind, search, get }: Source, value: string | null, text: string, opened: boolean) {
  const chosen = useQuery({
    queryKey: [kind, 'chosen', value],
    queryFn: ({ signal }) => get(value ?? '', signal),
    enabled: value !== null,
  });
  const [typed] = useDebouncedValue(text.trim(), 250);
  // The name of what is chosen is no search: it stands in the field by itself.
  const q = typed === '' || typed === chosen.data?.name ? undefined : typed;
  const offered = useQuery({
    queryKey: [kind, 'offered', q],
    queryFn: ({ signal }) => search({ q, limit: OFFERED, signal }),
    enabled: opened,
    placeholderData: keepPreviousData,
  });
  const found = offered.data?.found ?? [];
  const isMissing = chosen.data !== undefined && q === undefined && found.every(({ id }) => id !== value);
  return {
    choices: isMissing ? [...found, chosen.data] : found,
    more: offered.data?.more === true,
    isSearching: offered.isFetching,
    error: titleOf(offered.error) ?? titleOf(chosen.error),
  };
}

const Offer = ({ name, detail, disabled }: Omit<Choice, 'id'> & { disabled?: boolean }) => (
  <div>
    <Text size="sm" fs={disabled ? 'italic' : undefined}>
      {name}
    </Text>
    {detail !== undefined && (
      <Text size="xs" c="dimmed">
        {detail}
      </Text>
    )}
  </div>
);

/** A select whose choices are searched on the server as one types. */
export function RemoteSelect({ source, required, value = null, ...props }: PickerProps & { source: Source }) {
  const [text, setText] = useState('');
  const [opened, setOpened] = useState(false);
  const { choices, more, isSearching, error } = useChoices(source, value, text, opened);
  const detailOf = (id: string) => choices.find((choice) => choice.id === id)?.detail;
  return (
    <Select
      {...props}
      value={value}
      error={props.error ?? error}
      withAsterisk={required}
      searchable
      clearable={required !== true}
      clearButtonProps={{ 'aria-label': `Clear ${props.label}` }}
      data={[...choices.map(({ id, name }) => ({ value: id, label: name })), ...(more ? [others] : [])]}
      filter={({ options }) => options}
      onSearchChange={setText}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onFocus={(event) => event.currentTarget.select()}
      nothingFoundMessage={isSearching ? 'Searching…' : source.nothingFound}
      rightSection={isSearching ? <Loader size={16} aria-hidden /> : undefined}
      renderOption={({ option }) => (
        <Offer name={option.label} detail={detailOf(option.value)} disabled={option.disabled} />
      )}
    />
  );
}
