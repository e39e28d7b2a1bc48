import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { useReportDto } from '../api/use-report-dto.js';
import { ReportPicker } from '../components/report-picker.js';
import { Section } from '../components/section.js';
import { useParameter } from '../components/use-parameter.js';
import { Explanation } from './explanation.js';
import { type Account, GrantWorkspace } from './held-grants.js';

interface RemedyProps {
  user: Account;
  reportId: string;
}

/** Grants access to the report's workspace. */
function Remedy({ user, reportId }: RemedyProps) {
  const [isOpen, setIsOpen] = useState(false);
  const report = useReportDto(reportId);
  if (report.data === undefined) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>
        {t('Grant workspace access')}
      </Button>
      {isOpen && (
        <GrantWorkspace
          holder={{ ...user, type: 'user' }}
          workspaceId={report.data.workspace_id}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

/** Checks whether one user can see a report. */
export function CheckAccess({ user }: { user: Account }) {
  const [reportId, setReportId] = useParameter('report');
  return (
    <Section title={t('Check access')} lead={t("Select a report to see why it is or isn't visible.")}>
      <Stack maw={640}>
        <ReportPicker label={t('Report')} value={reportId} onChange={setReportId} />
        {reportId !== null && (
          <Explanation
            key={reportId}
            user={user}
            reportId={reportId}
            remedy={<Remedy user={user} reportId={reportId} />}
          />
        )}
      </Stack>
    </Section>
  );
}
