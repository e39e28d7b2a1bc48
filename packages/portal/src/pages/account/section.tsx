import { Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

export function Section({ title, lead, children }: Props) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="lg" maw={860} aria-labelledby={id}>
      <Stack>
        <div>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {lead !== undefined && <Text size="sm">{lead}</Text>}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}
