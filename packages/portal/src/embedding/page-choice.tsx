import { Button, Group, ScrollArea } from '@mantine/core';
import type { ReportPage } from './power-bi-frame.js';

interface Props {
  pages: ReportPage[];
  /** The name of the one that is shown. */
  shown: string | undefined;
  onChoose: (name: string) => void;
}

/** The pages of a report, side by side; many of them scroll. */
export const PageChoice = ({ pages, shown, onChoose }: Props) => (
  <ScrollArea type="auto" offsetScrollbars="present" component="nav" aria-label="Pages of the report">
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
  </ScrollArea>
);
