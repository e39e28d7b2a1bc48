import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconCheck, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api, read } from '../api/client.js';
import { QueryView } from '../components/query-view.js';
import { LoadingRows } from '../components/states.js';
import { AccessPaths } from './access-paths.js';
import { type Explanation as ExplanationDto, reasonOf, resultOf } from './explanation-texts.js';

interface Props {
  user: { id: string; name: string };
  reportId: string;
  /** A way to grant the missing access. */
  remedy?: ReactNode;
}

const lacksGrant = ({ reason }: ExplanationDto): boolean =>
  reason === 'no_grant' || reason === 'grant_expired';

/** Why a user can see a report, or cannot. */
export function Explanation({ user, reportId, remedy }: Props) {
  const query = useQuery({
    queryKey: ['access', user.id, reportId],
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/access/explain', {
          params: { query: { user_id: user.id, report_id: reportId } },
          signal,
        }),
      ),
  });
  return (
    <QueryView query={query} loading={<LoadingRows rows={2} />}>
      {(explanation) => (
        <Alert
          color={explanation.allowed ? 'green' : 'orange'}
          variant="light"
          title={resultOf(user.name, explanation)}
          icon={explanation.allowed ? <IconCheck aria-hidden /> : <IconLock aria-hidden />}
          role="status"
        >
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{reasonOf(explanation)}</Text>
            {explanation.paths.length > 0 && <AccessPaths paths={explanation.paths} />}
            {lacksGrant(explanation) && remedy}
          </Stack>
        </Alert>
      )}
    </QueryView>
  );
}
