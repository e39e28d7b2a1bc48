import { Loader, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from 'i18next';
import type { Choice, Source } from '../api/sources.js';
import { titleOfError } from '../api/problem-texts.js';

/** The form properties of a picker. */
export interface PickerProps {
  label: string;
  /** The id of the selected item. */
  value?: string | null;
  onChange: (id: string | null) => void;
  description?: ReactNode;
  error?: ReactNode;
  placeholder?: string;
  required?: boolean;
  disabled?: boolean;
  autoFocus?: boolean;
}

/** Choices in the list; typing narrows them down. */
const MAX_OFFERED = 20;

export const moreResults = () => ({
  value: '',
  label: t('More results. Type to narrow them down.'),
  disabled: true,
});

/** The choices that the server finds for a term, 250 ms after the last keystroke. */
export function useOffered({ kind, search }: Source, term: string | undefined, opened: boolean) {
  const [q] = useDebouncedValue(term, 250);
  const offered = useQuery({
    queryKey: [kind, 'offered', q],
    queryFn: ({ signal }) => search({ q, limit: MAX_OFFERED, signal }),
    enabled: opened,
    placeholderData: keepPreviousData,
  });
  return {
    found: offered.data?.found ?? [],
    more: offered.data?.more === true,
    isSearching: offered.isFetching,
    error: titleOfError(offered.error),
  };
}

/** The selected item, and the choices for the text in the field. */
function useChoices(source: Source, value: string | null, text: string, opened: boolean) {
  const chosen = useQuery({
    queryKey: [source.kind, 'chosen', value],
    queryFn: ({ signal }) => source.get(value ?? '', signal),
    enabled: value !== null,
  });
  const typed = text.trim();
  // The name of the current choice, which the field shows, is not a search term.
  const term = typed === '' || typed === chosen.data?.name ? undefined : typed;
  const { found, error, ...offered } = useOffered(source, term, opened);
  const isMissing = chosen.data !== undefined && term === undefined && found.every(({ id }) => id !== value);
  return {
    ...offered,
    choices: isMissing ? [...found, chosen.data] : found,
    error: error ?? titleOfError(chosen.error),
  };
}

export const Offer = ({ name, detail, disabled }: Omit<Choice, 'id'> & { disabled?: boolean }) => (
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

/** A select that searches its choices on the server as the user types. */
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
      openOnFocus={false}
      clearable={required !== true}
      clearButtonProps={{ 'aria-label': t('Clear {{field}}', { field: props.label }) }}
      data={[
        ...choices.map(({ id, name }) => ({ value: id, label: name })),
        ...(more ? [moreResults()] : []),
      ]}
      filter={({ options }) => options}
      onSearchChange={setText}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onFocus={(event) => event.currentTarget.select()}
      nothingFoundMessage={isSearching ? t('Searching…') : t(source.nothingFound)}
      rightSection={isSearching ? <Loader size={16} aria-hidden /> : undefined}
      renderOption={({ option }) => (
        <Offer name={option.label} detail={detailOf(option.value)} disabled={option.disabled} />
      )}
    />
  );
}
