import { MultiSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from 'i18next';
import type { Choice, Source } from '../api/sources.js';
import { Offer, moreResults, useOffered } from './remote-select.js';

interface Props {
  label: string;
  source: Source;
  value: Choice[];
  onChange: (chosen: Choice[]) => void;
  placeholder?: string;
  description?: ReactNode;
  error?: ReactNode;
  /** A choice that the search does not have to find: for a text that none of the found ones matches. */
  create?: (text: string, found: readonly Choice[]) => Choice | undefined;
}

/** A field for several choices that the server searches as the user types. */
export function RemoteMultiSelect({ source, value, onChange, placeholder, create, ...props }: Props) {
  const [text, setText] = useState('');
  const [opened, setOpened] = useState(false);
  const { found, more, isSearching, error } = useOffered(source, text.trim() || undefined, opened);
  const created = isSearching ? undefined : create?.(text.trim(), found);
  const offered = created === undefined ? found : [...found, created];
  const choices = [...value, ...offered.filter(({ id }) => value.every((chosen) => chosen.id !== id))];
  const byId = new Map(choices.map((choice) => [choice.id, choice]));
  return (
    <MultiSelect
      {...props}
      error={props.error ?? error}
      placeholder={value.length === 0 ? placeholder : undefined}
      searchable
      openOnFocus={false}
      hidePickedOptions
      value={value.map(({ id }) => id)}
      dropdownOpened={opened}
      onChange={(ids) => {
        const chosen = ids.map((id) => byId.get(id)).flatMap((each) => each?.parts ?? each ?? []);
        // Once each: a part can be chosen already.
        onChange([...new Map(chosen.map((each) => [each.id, each])).values()]);
        // Otherwise it covers the buttons below; typing or a click opens it again.
        setOpened(false);
      }}
      data={[
        ...choices.map(({ id, name }) => ({ value: id, label: name })),
        ...(more ? [moreResults()] : []),
      ]}
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      nothingFoundMessage={isSearching ? t('Searching…') : t(source.nothingFound)}
      renderOption={({ option }) => (
        <Offer
          name={byId.get(option.value)?.offer ?? option.label}
          detail={byId.get(option.value)?.detail}
          disabled={option.disabled}
        />
      )}
    />
  );
}
