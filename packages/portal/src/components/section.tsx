import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, lead, actions, children }: Props) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} withBorder p={{ base: 'md', sm: 'lg' }}>
      <Stack>
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} size="h4" id={id}>
              {title}
            </Title>
            {lead !== undefined && (
              <Text size="sm" c="dimmed" component="div" maw={640}>
                {lead}
              </Text>
            )}
          </div>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
