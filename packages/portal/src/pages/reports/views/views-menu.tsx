import { IconBookmark, IconCheck, IconDeviceFloppy, IconSettings, IconUsers } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { titleOfError } from '../../../api/problem-texts.js';
import { MenuContent, menuItem, SmallMenu } from '../../../components/small-menu.js';
import type { ReportControls } from '../../../embedding/report-controls.js';
import { load } from '../../../load/load-error.js';
import { edits, useMe } from '../../../session/use-session.js';
import type { Report } from '../report-rows.js';
import { ToolButton } from '../tool-button.js';
import type { ActiveView } from './use-view-in-url.js';
import { useViews, type View } from './use-views.js';

const SaveView = lazy(load(() => import('./save-view.js')));
const ManageViews = lazy(load(() => import('./manage-views.js')));

interface ItemProps {
  view: View;
  isActive: boolean;
  onClick: () => void;
}

function ViewItem({ view: { name, scope }, isActive, onClick }: ItemProps) {
  const { t } = useTranslation();
  return (
    <button {...menuItem} type="button" aria-current={isActive ? 'true' : undefined} onClick={onClick}>
      {isActive ? <IconCheck size={16} aria-hidden /> : <span className="menu-space" />}
      <span className="menu-name">{name}</span>
      {scope === 'shared' && <IconUsers size={14} role="img" aria-label={t('Shared')} />}
    </button>
  );
}

interface Props {
  report: Report;
  controls: ReportControls | undefined;
  active: ActiveView;
}

/** The saved views of a report: apply one, save the current state, manage them. */
export function ViewsMenu({ report, controls, active }: Props) {
  const { t } = useTranslation();
  const { data: me } = useMe();
  const [hasOpened, setHasOpened] = useState(false);
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const { data: views = [], isPending, error, refetch } = useViews(report.id, hasOpened);
  const onClose = () => setDialog(undefined);
  return (
    <>
      <SmallMenu
        label={t('Saved views')}
        onOpened={() => {
          setHasOpened(true);
          if (error !== null) void refetch();
        }}
        button={(props) => (
          <ToolButton
            {...props}
            label={t('Saved views')}
            icon={IconBookmark}
            disabled={controls === undefined}
          />
        )}
      >
        {views.map((view) => (
          <ViewItem
            key={view.id}
            view={view}
            isActive={view.id === active.id}
            onClick={() => active.apply(view.id)}
          />
        ))}
        {views.length === 0 && (
          <div className="small-menu-label" role="presentation">
            {isPending ? t('Loading') : (titleOfError(error) ?? t('No saved views yet'))}
          </div>
        )}
        <hr className="small-menu-separator" />
        <button {...menuItem} type="button" onClick={() => setDialog('save')}>
          <MenuContent icon={IconDeviceFloppy} text={t('Save current view')} />
        </button>
        {views.length > 0 && (
          <button {...menuItem} type="button" onClick={() => setDialog('manage')}>
            <MenuContent icon={IconSettings} text={t('Manage views')} />
          </button>
        )}
      </SmallMenu>
      <Suspense>
        {dialog === 'save' && controls && (
          <SaveView
            reportId={report.id}
            controls={controls}
            canShare={edits(me, report)}
            onSaved={active.adopt}
            onClose={onClose}
          />
        )}
        {dialog === 'manage' && <ManageViews report={report} active={active} onClose={onClose} />}
      </Suspense>
    </>
  );
}
