import { Alert, Anchor, Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconCheck, IconQuestionMark, IconRefresh, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { t } from 'i18next';
import { msg } from '../../i18n/index.js';
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
      <Alert
        color="green"
        variant="light"
        icon={<IconCheck aria-hidden />}
        title={t('Report can be embedded')}
      >
        {t('Power BI issued a test token. It was discarded.')}
      </Alert>
    );
  }
  if (checks.some(({ status }) => status === 'failed')) {
    return (
      <Alert color="red" variant="light" icon={<IconX aria-hidden />} title={t('Report can’t be embedded')}>
        {t('See the failed checks below.')}
      </Alert>
    );
  }
  return (
    <Alert color="yellow" variant="light" icon={<IconQuestionMark aria-hidden />} title={t('Inconclusive')}>
      {user === null
        ? t('No check failed, but some could not run. Select a user to run them all.')
        : t('No check failed, but some could not run.')}
    </Alert>
  );
}

const remedies: Partial<Record<CheckItem['name'], { to: string; label: string }>> = {
  revocation: { to: '/embedding?tab=revocations', label: msg('View blocks') },
  identity: { to: '/datasets', label: msg('Set up row-level security') },
  service_principal: { to: '/syncs', label: msg('View recent syncs') },
};

/** The page where an administrator fixes a failed check. */
function Remedy({ name, user }: Pick<CheckItem, 'name'> & { user: string | null }) {
  const remedy =
    name === 'access' && user !== null ? { to: `/users/${user}`, label: msg('View user') } : remedies[name];
  if (remedy === undefined) return null;
  return (
    <Anchor component={Link} to={remedy.to} size="sm">
      {t(remedy.label)}
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
    // A check shows the current state only.
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
              {t('Check again')}
            </Button>
            <Anchor component={Link} to={`/reports/${report}`} size="sm">
              {t('Open report')}
            </Anchor>
          </Group>
        </Stack>
      )}
    </QueryView>
  );
}

/** Whether a report opens for a user, and if not, why. */
export function CheckTab({ admin }: { admin: boolean }) {
  const [report, setReport] = useParameter('report');
  const [user, setUser] = useParameter('user');
  return (
    <Stack>
      <Text size="sm">
        {t(
          'Checks every step that a report needs to open, from access in the portal to a Power BI embed token.',
        )}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ReportPicker label={t('Report')} value={report} onChange={setReport} />
        <PersonPicker admin={admin} report={report} value={user} onChange={setUser} />
      </SimpleGrid>
      {report === null ? (
        <Empty title={t('Select a report')}>
          {t('Select a user as well to check whether the report opens for them.')}
        </Empty>
      ) : (
        <Result key={`${report} ${user}`} report={report} user={user} admin={admin} />
      )}
    </Stack>
  );
}
