import { Alert, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { translatedSentence } from '../../api/sentences.js';
import { causeOf, type SyncError } from './sync-texts.js';

/** The service keeps at most this many of a run. */
const MAX_ERRORS = 100;

/** Names by the ids in Power BI, which identify failed workspaces. */
const useNames = () =>
  useQuery({
    queryKey: ['workspaces', 'names-in-power-bi'],
    queryFn: async ({ signal }) => {
      const query = { limit: 1000, sort: 'name' } as const;
      const { workspaces } = await read(api.GET('/api/workspaces', { params: { query }, signal }));
      return new Map(workspaces.map(({ pbi_workspace_id, name }) => [pbi_workspace_id, name]));
    },
  }).data;

interface CauseProps {
  code: string;
  errors: SyncError[];
}

function Cause({ code, errors }: CauseProps) {
  const names = useNames();
  const workspaces = errors.map(({ pbi_workspace_id: id }) => id).filter((id) => id !== null);
  const details = new Set(errors.map(({ detail }) => detail));
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={causeOf(code)}>
      {[...details].map((detail) => (
        <Text key={detail} size="sm">
          {translatedSentence(detail)}
        </Text>
      ))}
      {workspaces.length > 0 && (
        <List size="sm" mt="xs">
          {workspaces.map((id) => (
            <List.Item key={id}>{names?.get(id) ?? t('Power BI workspace {{id}}', { id })}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

/** The errors of a run with the affected workspaces, by cause. */
export function SyncErrors({ errors }: { errors: SyncError[] }) {
  if (errors.length === 0) return null;
  const causes = [...Map.groupBy(errors, ({ code }) => code)];
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        {t('Errors')}
      </Title>
      {causes.map(([code, group]) => (
        <Cause key={code} code={code} errors={group} />
      ))}
      {errors.length >= MAX_ERRORS && (
        <Text size="sm" c="dimmed">
          {t('Only the first {{count}} errors are stored.', { count: MAX_ERRORS })}
        </Text>
      )}
    </Stack>
  );
}
