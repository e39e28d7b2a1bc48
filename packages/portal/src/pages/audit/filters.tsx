import { Button, CloseButton, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { UserPicker } from '../../components/user-picker.js';
import { actionWords, choicesOf, outcomeWords, targetWords } from './audit-words.js';
import { TargetFilter } from './target-filter.js';
import { TimeFilter } from './time-filter.js';
import type { useAuditFilters } from './use-audit-filters.js';

type Filters = ReturnType<typeof useAuditFilters>;

const actions = choicesOf(actionWords).toSorted((a, b) => a.label.localeCompare(b.label));
const outcomes = choicesOf(outcomeWords);
const targets = choicesOf(targetWords);

const allCleared = {
  action: null,
  outcome: null,
  actor_id: null,
  target_type: null,
  target_id: null,
  request_id: null,
  within: null,
  from: null,
  to: null,
};

function OfRequest({ id, onClear }: { id: string; onClear: () => void }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Only request {id}
      </Text>
      <CloseButton aria-label="Show other requests too" onClick={onClear} />
    </Group>
  );
}

export function AuditFilters({ parameters, change, isFiltered }: Filters) {
  const set = (name: string) => (value: string | null) => change({ [name]: value });
  const request = parameters.get('request_id');
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
        <Select
          label="What happened"
          placeholder="Anything"
          data={actions}
          value={parameters.get('action')}
          onChange={set('action')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear What happened' }}
          nothingFoundMessage="Nothing is called that"
        />
        <Select
          label="Outcome"
          placeholder="Any"
          data={outcomes}
          value={parameters.get('outcome')}
          onChange={set('outcome')}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear Outcome' }}
        />
        <UserPicker
          label="Who did it"
          placeholder="Anybody"
          programs
          value={parameters.get('actor_id')}
          onChange={set('actor_id')}
        />
        <Select
          label="Done to a"
          placeholder="Anything"
          data={targets}
          value={parameters.get('target_type')}
          onChange={(type) => change({ target_type: type, target_id: null })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear Done to a' }}
        />
        <TargetFilter
          type={parameters.get('target_type')}
          id={parameters.get('target_id')}
          onChange={set('target_id')}
        />
        <TimeFilter parameters={parameters} change={change} />
      </SimpleGrid>
      <Group justify="space-between">
        {request === null ? (
          <span />
        ) : (
          <OfRequest id={request} onClear={() => change({ request_id: null })} />
        )}
        {isFiltered && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconFilterOff size={16} aria-hidden />}
            onClick={() => change(allCleared)}
          >
            Clear all filters
          </Button>
        )}
      </Group>
    </Stack>
  );
}
