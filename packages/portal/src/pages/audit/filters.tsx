import { Button, CloseButton, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from 'i18next';
import { ProblemError } from '../../api/problem.js';
import { optionsOf } from '../../i18n/options.js';
import { useArrival } from '../../components/use-parameter.js';
import { UserPicker } from '../../components/user-picker.js';
import { actionTexts, outcomeTexts, sortedOptions, targetTexts } from './audit-texts.js';
import { TargetFilter } from './target-filter.js';
import { TimeFilter } from './time-filter.js';
import type { useAuditFilters } from './use-audit-filters.js';

type Filters = ReturnType<typeof useAuditFilters>;

const allCleared = {
  action: null,
  outcome: null,
  actor_id: null,
  target_type: null,
  target_id: null,
  ip: null,
  request_id: null,
  within: null,
  from: null,
  to: null,
};

function RequestFilter({ id, onClear }: { id: string; onClear: () => void }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t('Request {{id}}', { id })}
      </Text>
      <CloseButton aria-label={t('Remove request filter')} onClick={onClear} />
    </Group>
  );
}

interface AddressProps {
  ip: string | null;
  onChange: (ip: string) => void;
  error?: string;
}

/** Applied with Enter or when left: the API rejects an incomplete address. */
function AddressFilter({ ip, onChange, error }: AddressProps) {
  const [text, setText] = useState(ip ?? '');
  const [applied, setApplied] = useState(ip);
  if (ip !== applied) {
    setApplied(ip);
    setText(ip ?? '');
  }
  const apply = (): void => {
    if (text.trim() !== (ip ?? '')) onChange(text.trim());
  };
  return (
    <TextInput
      label={t('IP address')}
      placeholder={t('Any')}
      value={text}
      error={error}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply();
      }}
    />
  );
}

interface Props extends Filters {
  /** Of the list. */
  error: unknown;
}

export function AuditFilters({ parameters, change, isFiltered, error }: Props) {
  const set = (name: string) => (value: string | null) => change({ [name]: value });
  const request = parameters.get('request_id');
  const arrival = useArrival();
  /** Clearing forgets that a custom range was chosen. */
  const [clearings, setClearings] = useState(0);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
        <Select
          label={t('Action')}
          placeholder={t('Any')}
          data={sortedOptions(actionTexts)}
          value={parameters.get('action')}
          onChange={set('action')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('Clear action') }}
          nothingFoundMessage={t('No matching actions')}
        />
        <Select
          label={t('Result')}
          placeholder={t('Any')}
          data={optionsOf(outcomeTexts)}
          value={parameters.get('outcome')}
          onChange={set('outcome')}
          clearable
          clearButtonProps={{ 'aria-label': t('Clear result') }}
        />
        <UserPicker
          label={t('Actor')}
          placeholder={t('Any')}
          programs
          value={parameters.get('actor_id')}
          onChange={set('actor_id')}
        />
        <Select
          label={t('Target type')}
          placeholder={t('Any')}
          data={sortedOptions(targetTexts)}
          value={parameters.get('target_type')}
          onChange={(type) => change({ target_type: type, target_id: null })}
          clearable
          clearButtonProps={{ 'aria-label': t('Clear target type') }}
        />
        <TargetFilter
          key={arrival}
          type={parameters.get('target_type')}
          id={parameters.get('target_id')}
          onChange={set('target_id')}
        />
        <AddressFilter
          ip={parameters.get('ip')}
          onChange={set('ip')}
          error={error instanceof ProblemError ? error.of('ip') : undefined}
        />
        <TimeFilter key={`${arrival} ${clearings}`} parameters={parameters} change={change} />
      </SimpleGrid>
      <Group justify="space-between">
        {request === null ? (
          <span />
        ) : (
          <RequestFilter id={request} onClear={() => change({ request_id: null })} />
        )}
        {isFiltered && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconFilterOff size={16} aria-hidden />}
            onClick={() => {
              setClearings(clearings + 1);
              change(allCleared);
            }}
          >
            {t('Clear all filters')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
