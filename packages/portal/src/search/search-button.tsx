import './search.css';
import { Kbd, Text } from '@mantine/core';
import { useHotkeys, useOs } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { load } from '../load/load-error.js';

const loadPalette = load(() => import('./palette.js'));
const Palette = lazy(loadPalette);

const preload = (): void => void loadPalette().catch(() => undefined);

/** Opens the search, as Ctrl K or ⌘ K do. */
export function SearchButton() {
  const { t } = useTranslation();
  const isApple = /macos|ios/.test(useOs());
  const [opened, setOpened] = useState(false);
  useHotkeys([['mod+K', () => setOpened(true)]], []);
  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-haspopup="dialog"
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={() => setOpened(true)}
        onPointerEnter={preload}
        onFocus={preload}
      >
        <IconSearch size={18} aria-hidden />
        <Text span size="sm" truncate className="search-button-text">
          {t('Search reports, workspaces…')}
        </Text>
        <Kbd size="xs" visibleFrom="sm" aria-hidden>
          {isApple ? '⌘ K' : t('Ctrl K')}
        </Kbd>
      </button>
      {opened && (
        <Suspense>
          <Palette onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
