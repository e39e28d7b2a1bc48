import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconAlertTriangle } from '@tabler/icons-react';
import { api, read } from '../../api/client.js';

const MOST = 1000;

/** Says how many datasets keep their reports closed, wherever in the list they are. */
export function MissingPolicies({ onShow }: { onShow: () => void }) {
  const count = useQuery({
    queryKey: ['datasets', 'missing'],
    queryFn: async ({ signal }) => {
      const query = { policy: 'missing', limit: MOST, sort: 'name' } as const;
      return (await read(api.GET('/api/datasets', { params: { query }, signal }))).datasets.length;
    },
  }).data;
  if (count === undefined || count === 0) return null;
  const many =
    count === 1 ? 'One dataset asks' : `${count === MOST ? `At least ${MOST}` : count} datasets ask`;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="Reports that cannot open"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {many} who is looking, and no policy says it. Reports on {count === 1 ? 'it' : 'them'} open for
          nobody.
        </Text>
        <Button size="compact-sm" variant="default" onClick={onShow}>
          Show {count === 1 ? 'it' : 'them'}
        </Button>
      </Stack>
    </Alert>
  );
}
