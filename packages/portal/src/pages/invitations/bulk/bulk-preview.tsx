import { Alert, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import type { ParsedList, Refused } from './parse-list.js';

/** Scrolled by keys too, not only by a mouse. */
const scrolled = (label: string) => ({ tabIndex: 0, role: 'region', 'aria-label': label });

const RefusedLines = ({ refused }: { refused: Refused[] }) => (
  <Alert
    color="orange"
    variant="light"
    title={refused.length === 1 ? '1 entry is left out' : `${refused.length} entries are left out`}
  >
    <ScrollArea.Autosize mah={200} viewportProps={scrolled('Entries that are left out')}>
      <Stack gap={4}>
        {refused.map(({ line, text, why }) => (
          <Text size="sm" key={`${line} ${text}`} style={{ overflowWrap: 'anywhere' }}>
            Line {line}: {why}{' '}
            <Text span size="sm" c="dimmed">
              ({text.slice(0, 80)})
            </Text>
          </Text>
        ))}
      </Stack>
    </ScrollArea.Autosize>
  </Alert>
);

/** What was understood of a list, before anybody is invited. */
export function BulkPreview({ list: { people, refused } }: { list: ParsedList }) {
  return (
    <Stack gap="sm">
      <Group role="status">
        <Text size="sm">
          {people.length === 0 && refused.length === 0 && 'Nobody is on the list yet.'}
          {(people.length > 0 || refused.length > 0) &&
            `${people.length} ${people.length === 1 ? 'person' : 'people'} will be invited.`}
        </Text>
      </Group>
      {refused.length > 0 && <RefusedLines refused={refused} />}
      {people.length > 0 && (
        <ScrollArea.Autosize mah={240} viewportProps={scrolled('People on the list')}>
          <Table>
            <Table.Tbody>
              {people.map(({ email, name, line }) => (
                <Table.Tr key={`${line} ${email}`}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{email}</Table.Td>
                  <Table.Td>{name}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </Stack>
  );
}
