import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { api, read } from '../api/client.js';
import { workspaces } from '../api/sources.js';
import { NameOf } from '../components/name-of.js';
import { QueryView } from '../components/query-view.js';
import { ReportPicker } from '../components/report-picker.js';
import { Section } from '../components/section.js';
import { LoadingRows } from '../components/states.js';
import { useParameter } from '../components/use-parameter.js';
import { type Explanation, reasonOf } from './explanation.js';
import { GiveWorkspace, type Holder } from './grants-of.js';

interface AnswerProps {
  holder: Holder;
  reportId: string;
  explanation: Explanation;
}

/** Where the report lies, so that access can be given where it lacks. */
const useWorkspaceOf = (reportId: string): string | undefined =>
  useQuery({
    queryKey: ['reports', 'one', reportId],
    queryFn: ({ signal }) =>
      read(api.GET('/api/reports/{id}', { params: { path: { id: reportId } }, signal })),
  }).data?.workspace_id;

function Answer({ holder, reportId, explanation }: AnswerProps) {
  const [gives, setGives] = useState(false);
  const workspaceId = useWorkspaceOf(reportId);
  const { allowed, access, reason, grant } = explanation;
  const lacksGrant = reason === 'no_grant' || reason === 'grant_expired';
  const title = allowed
    ? `${holder.name} may see ${access === 'edit' ? 'and edit ' : ''}it`
    : `${holder.name} may not see it`;
  return (
    <Alert
      color={allowed ? 'green' : 'orange'}
      variant="light"
      title={title}
      icon={allowed ? <IconCheck aria-hidden /> : <IconLock aria-hidden />}
      role="status"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {reasonOf(explanation)}
          {workspaceId !== undefined && (grant !== null || lacksGrant) && (
            <>
              {' '}
              The workspace is <NameOf source={workspaces} id={workspaceId} />.
            </>
          )}
        </Text>
        {lacksGrant && workspaceId !== undefined && (
          <Button size="compact-sm" variant="default" onClick={() => setGives(true)}>
            Give access
          </Button>
        )}
      </Stack>
      {gives && <GiveWorkspace holder={holder} workspaceId={workspaceId} onClose={() => setGives(false)} />}
    </Alert>
  );
}

function Explained({ holder, reportId }: Omit<AnswerProps, 'explanation'>) {
  const query = useQuery({
    queryKey: ['access', holder.id, reportId],
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/access/explain', {
          params: { query: { user_id: holder.id, report_id: reportId } },
          signal,
        }),
      ),
  });
  return (
    <QueryView query={query} loading={<LoadingRows rows={2} />}>
      {(explanation) => <Answer holder={holder} reportId={reportId} explanation={explanation} />}
    </QueryView>
  );
}

/** Why somebody sees a report, or does not. */
export function Explain({ holder }: { holder: Holder }) {
  const [reportId, setReportId] = useParameter('report');
  return (
    <Section title="May they see a report?" lead="Choose one, and see what decides.">
      <Stack maw={640}>
        <ReportPicker label="Report" value={reportId} onChange={setReportId} />
        {reportId !== null && <Explained key={reportId} holder={holder} reportId={reportId} />}
      </Stack>
    </Section>
  );
}
