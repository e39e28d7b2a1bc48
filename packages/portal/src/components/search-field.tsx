import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { t } from 'i18next';
import { useParameter } from './use-parameter.js';

interface Props {
  label: string;
  /** The URL parameter that contains the term: a search can be linked to, and Back undoes it. */
  parameter?: string;
}

export function SearchField({ label, parameter = 'q' }: Props) {
  const [given, set] = useParameter(parameter);
  const [text, setText] = useState(given ?? '');
  const field = useRef<HTMLInputElement>(null);
  const keep = useDebouncedCallback(set, 250);
  const change = (value: string): void => {
    setText(value);
    keep(value.trim());
  };
  useEffect(() => {
    // A link to the same page, or Back, has another term. What is being typed is newer than the URL.
    if (document.activeElement !== field.current) setText(given ?? '');
  }, [given]);
  return (
    <TextInput
      ref={field}
      type="search"
      w="100%"
      maw={{ xs: 320 }}
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={200}
      onChange={(event) => change(event.currentTarget.value)}
      // Before a link is followed: kept later, the search would come back from the other page.
      onBlur={keep.flush}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text !== '' && <CloseButton aria-label={t('Clear search')} onClick={() => change('')} />}
    />
  );
}
