import { Badge, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { t } from 'i18next';
import type { components } from '../../api/schema.js';
import { translatedSentence } from '../../api/sentences.js';
import { msg } from '../../i18n/index.js';

type AllChecks = components['schemas']['HealthDto']['checks'];
type Part = keyof AllChecks;
type Check = AllChecks[Part];
type Status = Check['status'];

const parts: Record<Part, { name: string; purpose: string; impact: string }> = {
  database: {
    name: msg('Database'),
    purpose: msg('Stores users, access and the report catalogue.'),
    impact: msg('The portal is unavailable.'),
  },
  jobs: {
    name: msg('Background jobs'),
    purpose: msg('Send emails and sync workspaces and reports from Power BI.'),
    impact: msg('Emails and changes in Power BI are delayed.'),
  },
  mail: {
    name: msg('Email'),
    purpose: msg('Delivers invitations and password reset links.'),
    impact: msg('Invitations and password reset links are delayed.'),
  },
  power_bi: {
    name: msg('Power BI'),
    purpose: msg('Provides the reports.'),
    impact: msg('Reports may not open.'),
  },
};

const states: Record<Status, { label: string; color: string }> = {
  ok: { label: msg('Operational'), color: 'teal' },
  degraded: { label: msg('Degraded'), color: 'orange' },
  down: { label: msg('Down'), color: 'red' },
};

function Card({ part, check: { status, detail } }: { part: Part; check: Check }) {
  const { name, purpose, impact } = parts[part];
  const { label, color } = states[status];
  return (
    <Paper component="section" withBorder p="md" aria-label={t(name)}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} size="h5">
          {t(name)}
        </Title>
        <Badge color={color} variant="light" miw="max-content">
          {t(label)}
        </Badge>
      </Group>
      <Text size="sm">{t(status === 'ok' ? purpose : impact)}</Text>
      {detail !== undefined && (
        <Text size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
          {translatedSentence(detail)}
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
