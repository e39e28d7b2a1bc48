import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';

const MAX_COUNT = 1000;

/** The number of datasets whose reports cannot be opened. */
export function MissingPolicies({ onShow }: { onShow: () => void }) {
  const count = useQuery({
    queryKey: ['datasets', 'missing'],
    queryFn: async ({ signal }) => {
      const query = { policy: 'missing', limit: MAX_COUNT, sort: 'name' } as const;
      return (await read(api.GET('/api/datasets', { params: { query }, signal }))).datasets.length;
    },
  }).data;
  if (count === undefined || count === 0) return null;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t('Policies missing')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t("{{count}} datasets have row-level security without a policy. Their reports can't be opened.", {
            count,
          })}
        </Text>
        <Button size="compact-sm" variant="default" onClick={onShow}>
          {t('Show datasets')}
        </Button>
      </Stack>
    </Alert>
  );
}
