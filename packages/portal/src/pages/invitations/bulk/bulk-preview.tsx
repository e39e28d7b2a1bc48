import { Alert, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { t } from 'i18next';
import { roleName } from '../../../access/roles.js';
import type { ParsedList, Rejected } from './parse-list.js';

/** Focusable, so that it scrolls by keyboard too. */
const scrolled = (label: string) => ({ tabIndex: 0, role: 'region', 'aria-label': label });

const RejectedLines = ({ rejected }: { rejected: Rejected[] }) => (
  <Alert
    color="orange"
    variant="light"
    title={t('{{count}} entries were skipped', { count: rejected.length })}
  >
    <ScrollArea.Autosize mah={200} viewportProps={scrolled(t('Skipped entries'))}>
      <Stack gap={4}>
        {rejected.map(({ line, text, reason }) => (
          <Text size="sm" key={`${line} ${text}`} style={{ overflowWrap: 'anywhere' }}>
            {t('Line {{line}}: {{reason}}', { line: String(line), reason })}{' '}
            <Text span size="sm" c="dimmed">
              ({text.slice(0, 80)})
            </Text>
          </Text>
        ))}
      </Stack>
    </ScrollArea.Autosize>
  </Alert>
);

/** The parsed list, before invitations are sent. */
export function BulkPreview({ list: { people, rejected } }: { list: ParsedList }) {
  const hasRoles = people.some(({ role }) => role !== undefined);
  return (
    <Stack gap="sm">
      <Group role="status">
        <Text size="sm">
          {people.length === 0 && rejected.length === 0
            ? t('No users entered yet.')
            : t('{{count}} users will be invited.', { count: people.length })}
        </Text>
      </Group>
      {hasRoles && (
        <Text size="sm">
          {t('The role of a line applies to all workspaces and reports that you select below.')}
        </Text>
      )}
      {rejected.length > 0 && <RejectedLines rejected={rejected} />}
      {people.length > 0 && (
        <ScrollArea.Autosize mah={240} viewportProps={scrolled(t('Users to invite'))}>
          <Table>
            <Table.Tbody>
              {people.map(({ email, name, role, line }) => (
                <Table.Tr key={`${line} ${email}`}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{email}</Table.Td>
                  <Table.Td>{name}</Table.Td>
                  {hasRoles && <Table.Td>{role !== undefined && roleName(role)}</Table.Td>}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </Stack>
  );
}
