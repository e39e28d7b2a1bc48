import { MultiSelect } from '@mantine/core';
import { useUncontrolled } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from 'i18next';
import type { Choice, Source } from '../api/sources.js';
import { Offer, moreResults, useOffered } from './remote-select.js';

interface Props {
  label: string;
  source: Source;
  value: Choice[];
  onChange: (chosen: Choice[]) => void;
  /** The text in the field, for a form that also submits a text that `create` accepts. */
  text?: string;
  onText?: (text: string) => void;
  placeholder?: string;
  description?: ReactNode;
  error?: ReactNode;
  /** The choice for a text, which the search does not have to find. */
  create?: (text: string, found: readonly Choice[]) => Choice | undefined;
}

/** With the parts of pasted lists; each once, also by its email address. */
export function distinctChoices(choices: readonly Choice[]): Choice[] {
  const keyOf = ({ id, email }: Choice) => email?.toLowerCase() ?? id;
  const byKey = new Map<string, Choice>();
  for (const each of choices.flatMap((choice) => choice.parts ?? choice))
    if (!byKey.has(keyOf(each))) byKey.set(keyOf(each), each);
  return [...byKey.values()];
}

/** The browser submits no form with a text that is no choice. */
function useValidity(isValid: boolean) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.setCustomValidity(isValid ? '' : t('Select an entry of the list, or clear the text.'));
  }, [isValid]);
  return field;
}

/** A field for several choices that the server searches as the user types. */
export function RemoteMultiSelect({
  source,
  value,
  onChange,
  text: givenText,
  onText,
  placeholder,
  create,
  ...props
}: Props) {
  const [text, setText] = useUncontrolled({ value: givenText, finalValue: '', onChange: onText });
  const [opened, setOpened] = useState(false);
  const isLeft = useRef(false);
  const { found, more, isSearching, error } = useOffered(source, text.trim() || undefined, opened);
  const created = create?.(text.trim(), found);
  const field = useValidity(text.trim() === '' || created !== undefined);
  const isOffered = created !== undefined && !isSearching && !found.includes(created);
  const offered = isOffered ? [...found, created] : found;
  const choices = [...value, ...offered.filter(({ id }) => value.every((chosen) => chosen.id !== id))];
  const byId = new Map(choices.map((choice) => [choice.id, choice]));
  const choose = (chosen: readonly Choice[]): void => {
    onChange(distinctChoices(chosen));
    // Otherwise it covers the buttons below; typing or a click opens it again.
    setOpened(false);
  };
  /** After Mantine, which has prevented the default of Enter if it chose an entry of the list. */
  const addTyped = (event: KeyboardEvent): void => {
    const isAdding = event.key === 'Enter' || event.key === 'Tab';
    if (!isAdding || event.target !== field.current || event.defaultPrevented) return;
    if (event.nativeEvent.isComposing || created === undefined) return;
    if (event.key === 'Enter') event.preventDefault();
    choose([...value, created]);
    setText('');
  };
  return (
    <MultiSelect
      {...props}
      ref={field}
      error={props.error ?? error}
      placeholder={value.length === 0 ? placeholder : undefined}
      searchable
      openOnFocus={false}
      hidePickedOptions
      value={value.map(({ id }) => id)}
      dropdownOpened={opened}
      onChange={(ids) => choose(ids.flatMap((id) => byId.get(id) ?? []))}
      data={[
        ...choices.map(({ id, name }) => ({ value: id, label: name })),
        ...(more ? [moreResults()] : []),
      ]}
      filter={({ options }) => options}
      searchValue={text}
      onFocus={() => {
        isLeft.current = false;
      }}
      onBlur={() => {
        isLeft.current = true;
      }}
      onSearchChange={(next) => {
        // Mantine clears the text of a field that is left.
        if (!isLeft.current) setText(next);
      }}
      wrapperProps={{ onKeyDown: addTyped }}
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
