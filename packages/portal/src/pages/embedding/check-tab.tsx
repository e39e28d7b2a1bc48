import { Alert, Anchor, Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconCheck, IconQuestionMark, IconRefresh, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { type CheckItem, CheckItems } from '../../components/check-items.js';
import { QueryView } from '../../components/query-view.js';
import { ReportPicker } from '../../components/report-picker.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { PersonPicker } from './person-picker.js';

type Check = components['schemas']['EmbedCheckDto'];

function Verdict({ check: { embeds, checks, user_id: user } }: { check: Check }) {
  if (embeds) {
    return (
      <Alert color="green" variant="light" icon={<IconCheck aria-hidden />} title="It embeds">
        Power BI issued a token for a trial, which nobody got.
      </Alert>
    );
  }
  if (checks.some(({ status }) => status === 'failed')) {
    return (
      <Alert color="red" variant="light" icon={<IconX aria-hidden />} title="It does not embed">
        What failed below says why.
      </Alert>
    );
  }
  return (
    <Alert color="yellow" variant="light" icon={<IconQuestionMark aria-hidden />} title="It cannot be told">
      Nothing failed, but not everything could be looked at.
      {user === null && ' Name a person to find out more.'}
    </Alert>
  );
}

const remedies: Partial<Record<CheckItem['name'], { to: string; label: string }>> = {
  revocation: { to: '/embedding?tab=revocations', label: 'Look at the revocations' },
  identity: { to: '/datasets', label: 'Set the policy of the dataset' },
  service_principal: { to: '/syncs', label: 'Look at the last syncs' },
};

/** Where an administrator puts right what failed. */
function Remedy({ name, user }: Pick<CheckItem, 'name'> & { user: string | null }) {
  const remedy =
    name === 'access' && user !== null
      ? { to: `/users/${user}`, label: 'Look at the person' }
      : remedies[name];
  if (remedy === undefined) return null;
  return (
    <Anchor component={Link} to={remedy.to} size="sm">
      {remedy.label}
    </Anchor>
  );
}

interface ResultProps {
  report: string;
  user: string | null;
  /** Whether the remedies are pages that the caller sees. */
  admin: boolean;
}

function Result({ report, user, admin }: ResultProps) {
  const check = useQuery({
    queryKey: ['embed-check', report, user],
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/reports/{id}/embed-check', {
          params: { path: { id: report }, query: { user_id: user ?? undefined } },
          signal,
        }),
      ),
    // What is true of it now, not what was.
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  return (
    <QueryView query={check}>
      {(data) => (
        <Stack>
          <Verdict check={data} />
          <Card withBorder>
            <CheckItems
              items={data.checks}
              remedy={({ name }) => admin && <Remedy name={name} user={user} />}
            />
          </Card>
          <Group>
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={check.isFetching}
              onClick={() => void check.refetch()}
            >
              Check again
            </Button>
            <Anchor component={Link} to={`/reports/${report}`} size="sm">
              Open the report
            </Anchor>
          </Group>
        </Stack>
      )}
    </QueryView>
  );
}

/** Whether a report opens for somebody, and if not, why. */
export function CheckTab({ admin }: { admin: boolean }) {
  const [report, setReport] = useParameter('report');
  const [user, setUser] = useParameter('user');
  return (
    <Stack>
      <Text size="sm">
        Goes through everything that a report needs to open, from the access here to a token of Power BI.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ReportPicker label="Report" value={report} onChange={setReport} />
        <PersonPicker admin={admin} report={report} value={user} onChange={setUser} />
      </SimpleGrid>
      {report === null ? (
        <Empty title="Choose a report">Name a person too, to see whether it opens for them.</Empty>
      ) : (
        <Result key={`${report} ${user}`} report={report} user={user} admin={admin} />
      )}
    </Stack>
  );
}
