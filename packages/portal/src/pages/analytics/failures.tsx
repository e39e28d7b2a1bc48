import { Table, Text } from '@mantine/core';
import { t } from 'i18next';
import type { components } from '../../api/schema.js';
import { Section } from '../../components/section.js';
import { count } from './format.js';

/** The errors that Power BI's client reported, by code. */
export const Failures = ({ failures }: { failures: components['schemas']['FailureCountDto'][] }) => (
  <Section title={t('Failures')}>
    {failures.length === 0 ? (
      <Text size="sm" c="dimmed">
        {t('No failures in this period.')}
      </Text>
    ) : (
      <Table maw={520}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Code')}</Table.Th>
            <Table.Th ta="right">{t('Count')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {failures.map(({ code, count: times }) => (
            <Table.Tr key={code}>
              <Table.Td ff="monospace">{code}</Table.Td>
              <Table.Td ta="right">{count(times)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )}
  </Section>
);
