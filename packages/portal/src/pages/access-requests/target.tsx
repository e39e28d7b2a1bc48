import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { AccessRequest } from '../../access/use-access-requests.js';

/** The requested workspace or report. Names are unknown in the user's own requests. */
export function Target({ request }: { request: AccessRequest }) {
  const { t } = useTranslation();
  const { workspace_id, workspace_name, report_id, report_name } = request;
  const workspace = workspace_id !== null && (
    <Anchor component={Link} to={`/workspaces/${workspace_id}`} size="sm">
      {workspace_name ?? t('Workspace')}
    </Anchor>
  );
  if (report_id === null) return workspace;
  return (
    <>
      {workspace}
      {workspace !== false && ' › '}
      <Anchor component={Link} to={`/reports/${report_id}`} size="sm">
        {report_name ?? t('Report')}
      </Anchor>
    </>
  );
}
