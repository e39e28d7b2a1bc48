import { Badge, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { t } from 'i18next';
import { CopyField } from '../../../components/copy-field.js';
import { WideTable } from '../../../components/wide-table.js';
import type { BulkLine } from './bulk-run.js';
import { lineStates } from './counts.js';

const Line = memo(({ line }: { line: BulkLine }) => (
  <Table.Tr>
    <Table.Td>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {line.email}
      </Text>
      {line.name !== undefined && (
        <Text size="xs" c="dimmed">
          {line.name}
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <Badge variant="light" color={lineStates[line.state].color}>
        {t(lineStates[line.state].label)}
      </Badge>
      {line.reason !== undefined && <Text size="xs">{line.reason}</Text>}
      {line.link !== undefined && (
        <CopyField label={t('Link for {{email}}', { email: line.email })} value={line.link} />
      )}
    </Table.Td>
  </Table.Tr>
));
Line.displayName = 'Line';

export const BulkLines = ({ lines }: { lines: BulkLine[] }) => (
  <WideTable minWidth={480}>
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('User')}</Table.Th>
          <Table.Th>{t('Result')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Line key={line.key} line={line} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
