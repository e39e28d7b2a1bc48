import { useTranslation } from 'react-i18next';
import { ShareDialog } from '../../access/share-dialog.js';
import type { Report } from './report-rows.js';

interface Props {
  report: Report;
  onClose: () => void;
}

/** Grants people and groups access to this report only. */
export default function ShareReport({ report, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ShareDialog
      title={t('Share {{name}}', { name: report.name })}
      target={{ type: 'report', id: report.id }}
      workspaceId={report.workspace_id}
      onClose={onClose}
    />
  );
}
