import { Group } from '@mantine/core';
import { IconMaximize, IconPencilOff, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../embedding/icon-button.js';
import type { ReportControls } from '../../embedding/report-controls.js';
import { ExportMenu } from '../../exports/export-menu.js';
import { CopyLink } from './copy-link.js';
import { FavouriteButton } from './favourite-button.js';
import { MoreMenu } from './more-menu.js';
import type { Report } from './report-rows.js';
import { ToolButton } from './tool-button.js';
import type { ActiveView } from './views/use-view-in-url.js';
import { ViewsMenu } from './views/views-menu.js';

interface Props {
  report: Report;
  controls: ReportControls | undefined;
  canEdit: boolean;
  isEditing: boolean;
  onMode: (mode: 'edit' | null) => void;
  activeView: ActiveView;
}

/** The actions of a report. */
export function Toolbar({ report, controls, canEdit, isEditing, onMode, activeView }: Props) {
  const { t } = useTranslation();
  const isPaginated = report.report_type === 'PaginatedReport';
  return (
    <Group gap={6} wrap="nowrap" role="group" aria-label={t('Report actions')}>
      {isEditing && (
        <ToolButton label={t('Stop editing')} icon={IconPencilOff} onClick={() => onMode(null)} />
      )}
      <FavouriteButton report={report} />
      <CopyLink />
      {!isEditing && <ExportMenu report={report} controls={controls} />}
      {!isPaginated && <ViewsMenu report={report} controls={controls} active={activeView} />}
      {/* It would discard what the editor has not saved. */}
      {!isEditing && (
        <IconButton
          label={t('Refresh')}
          icon={IconRefresh}
          disabled={controls === undefined}
          onClick={() => controls?.reload()}
        />
      )}
      {document.fullscreenEnabled && (
        <IconButton
          label={t('Full screen')}
          icon={IconMaximize}
          disabled={controls === undefined}
          onClick={() => controls?.toggleFullScreen()}
        />
      )}
      <MoreMenu
        report={report}
        controls={controls}
        isEditing={isEditing}
        onEdit={canEdit && !isEditing ? () => onMode('edit') : undefined}
      />
    </Group>
  );
}
