import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { titleOf } from '../branding/branding.js';

interface Props {
  title: string;
  /** The breadcrumb above the title. */
  above?: ReactNode;
  lead?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** At least as high as the window; the content grows into it. */
  fill?: boolean;
  children: ReactNode;
}

/** A page with its heading, which is also the title of the tab. A name that arrives later is announced too. */
export function Page({ title, above, lead, actions, fill = false, children }: Props) {
  useEffect(() => {
    document.title = titleOf(title);
  }, [title]);
  return (
    <Stack gap={fill ? 'sm' : 'lg'} className={fill ? 'page-fill' : undefined}>
      <Group justify="space-between" align="flex-start">
        <div className="page-heading">
          {above}
          <Title order={1} className="page-title" title={title} lineClamp={3} aria-live="polite">
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
