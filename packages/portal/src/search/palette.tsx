import { Loader, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ProblemAlert } from '../components/states.js';
import { useWindow } from '../components/use-window.js';
import { type Result, useResults } from './use-results.js';

interface OptionProps {
  result: Result;
  id: string;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ result: { name, detail, icon: Icon }, id, isActive, onPoint, onChoose }: OptionProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <div
      ref={ref}
      id={id}
      role="option"
      aria-selected={isActive}
      className="search-result"
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <Icon size={18} aria-hidden />
      <Text span size="sm" className="search-result-name">
        {name}
      </Text>
      <Text span size="xs" c="dimmed" truncate maw="45%">
        {detail}
      </Text>
    </div>
  );
}

/** The active option, moved by the arrow keys; the first one after each change of the words. */
function useActive(count: number, q: string) {
  const [active, setActive] = useState(0);
  useEffect(() => setActive(0), [q]);
  const move = (step: number) => setActive((now) => (count === 0 ? 0 : (now + step + count) % count));
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => setActive((now) => Math.min(now + 8, Math.max(count - 1, 0))),
    PageUp: () => setActive((now) => Math.max(now - 8, 0)),
  };
  return { active: Math.min(active, Math.max(count - 1, 0)), setActive, keys };
}

/** Searches reports, workspaces, people and pages of the portal. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const { results, isSearching, error, q } = useResults(text);
  const { active, setActive, keys } = useActive(results.length, q);
  const isShown = useWindow(true, onClose);

  const choose = (result: Result | undefined): void => {
    if (result === undefined) return;
    onClose();
    void navigate(result.to);
  };
  // Enter before the results are there opens the first of them.
  const [isWaiting, setIsWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting || isSearching) return;
    setIsWaiting(false);
    choose(results[0]);
  });
  const submit = (): void => (isSearching ? setIsWaiting(true) : choose(results[active]));
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const act = event.key === 'Enter' ? submit : keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const isEmpty = results.length === 0 && !isSearching && error === null;
  return (
    <Modal.Root
      opened={isShown}
      onClose={onClose}
      closeOnEscape={false}
      size={640}
      yOffset="10dvh"
      padding={0}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('Search')}>
        <TextInput
          role="combobox"
          aria-label={t('Search reports, workspaces, and pages')}
          aria-expanded={results.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={results.length > 0 ? `${id}-${active}` : undefined}
          placeholder={t('Search reports, workspaces…')}
          variant="unstyled"
          size="md"
          px="md"
          data-autofocus
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={press}
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={isSearching ? <Loader size={16} aria-hidden /> : undefined}
        />
        {error !== null && <ProblemAlert error={error} />}
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={t('Results')}
          className="search-results"
          hidden={results.length === 0}
        >
          {results.map((result, index) => (
            <Option
              key={result.to}
              result={result}
              id={`${id}-${index}`}
              isActive={index === active}
              onPoint={() => setActive(index)}
              onChoose={() => choose(result)}
            />
          ))}
        </div>
        {isEmpty && (
          <Text size="sm" c="dimmed" className="search-message">
            {t('No results for “{{q}}”', { q })}
          </Text>
        )}
        <VisuallyHidden role="status">
          {isSearching ? '' : t('{{count}} results', { count: results.length })}
        </VisuallyHidden>
      </Modal.Content>
    </Modal.Root>
  );
}
