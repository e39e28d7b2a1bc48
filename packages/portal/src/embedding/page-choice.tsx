import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ReportPage } from './power-bi-frame.js';

interface Props {
  pages: ReportPage[];
  /** The name of the active page. */
  shown: string | undefined;
  onChoose: (name: string) => void;
}

/** The pages of a report, side by side; many of them scroll. */
export function PageChoice({ pages, shown, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('Report pages')} className="report-pages">
      <Group gap={4} wrap="nowrap">
        {pages.map(({ name, displayName }) => (
          <Button
            key={name}
            size="compact-sm"
            variant={name === shown ? 'light' : 'subtle'}
            color={name === shown ? undefined : 'gray'}
            aria-current={name === shown ? 'page' : undefined}
            onClick={() => onChoose(name)}
          >
            {displayName}
          </Button>
        ))}
      </Group>
    </nav>
  );
}
