import { Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { titleOf } from '../branding/branding.js';

interface Props {
  title: string;
  children: ReactNode;
}

/** What a page for people who are not signed in shows in its card. */
export function EntryPage({ title, children }: Props) {
  useEffect(() => {
    document.title = titleOf(title);
  }, [title]);
  return (
    <Stack>
      <Title order={1} size="h3">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
