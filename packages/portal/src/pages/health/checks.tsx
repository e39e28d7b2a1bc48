import { Badge, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { components } from '../../api/schema.js';

type AllChecks = components['schemas']['HealthDto']['checks'];
type Part = keyof AllChecks;
type Check = AllChecks[Part];
type Status = Check['status'];

const parts: Record<Part, { name: string; does: string; without: string }> = {
  database: {
    name: 'Database',
    does: 'Keeps people, access and the list of reports.',
    without: 'Nothing works without it.',
  },
  jobs: {
    name: 'Background work',
    does: 'Sends mail and reads the list of reports from Power BI.',
    without: 'Mail and changes in Power BI come late.',
  },
  mail: {
    name: 'Mail',
    does: 'Carries invitations and links for new passwords.',
    without: 'Invitations and links for new passwords come late.',
  },
  power_bi: {
    name: 'Power BI',
    does: 'Shows the reports.',
    without: 'Lists still work, but reports may not open.',
  },
};

const states: Record<Status, { label: string; color: string }> = {
  ok: { label: 'works', color: 'teal' },
  degraded: { label: 'in trouble', color: 'orange' },
  down: { label: 'down', color: 'red' },
};

function Card({ part, check: { status, detail } }: { part: Part; check: Check }) {
  const { name, does, without } = parts[part];
  const { label, color } = states[status];
  return (
    <Paper component="section" withBorder p="md" aria-label={name}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} size="h5">
          {name}
        </Title>
        <Badge color={color} variant="light">
          {label}
        </Badge>
      </Group>
      <Text size="sm">{status === 'ok' ? does : without}</Text>
      {detail !== undefined && (
        <Text size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
    </Paper>
  );
}

export const Checks = ({ checks }: { checks: AllChecks }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} maw={860}>
    {(Object.keys(parts) as Part[]).map((part) => (
      <Card key={part} part={part} check={checks[part]} />
    ))}
  </SimpleGrid>
);
