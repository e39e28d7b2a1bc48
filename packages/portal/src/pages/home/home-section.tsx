import { Anchor, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';

interface Props {
  title: string;
  /** The page that lists all of them. */
  all?: { to: string; label: string };
  children: ReactNode;
}

export function HomeSection({ title, all, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {all && (
          <Anchor component={Link} to={all.to} size="sm" py={4}>
            {all.label}
          </Anchor>
        )}
      </Group>
      {children}
    </section>
  );
}
