import { ActionIcon } from '@mantine/core';
import {
  IconDots,
  IconExternalLink,
  IconMessageQuestion,
  IconPencil,
  IconPrinter,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useWorkspaceSettings } from '../../api/use-workspace.js';
import { notifyFailure } from '../../components/notify.js';
import { MenuContent, menuItem, SmallMenu } from '../../components/small-menu.js';
import type { ReportControls } from '../../embedding/report-controls.js';
import { load } from '../../load/load-error.js';
import { isAdmin, manages, useMe } from '../../session/use-session.js';
import { contactLinkOf, contactNameOf } from '../workspaces/contact.js';
import type { Report } from './report-rows.js';

const ShareReport = lazy(load(() => import('./share-report.js')));

interface Props {
  report: Report;
  controls: ReportControls | undefined;
  isEditing: boolean;
  /** Left out where the viewer cannot edit. */
  onEdit?: () => void;
}

/** Loads the contact when the menu opens. */
function ContactItem({ report }: { report: Report }) {
  const { t } = useTranslation();
  const contact = useWorkspaceSettings(report.workspace_id).data?.contact_url ?? null;
  return (
    contact !== null && (
      <a {...menuItem} href={contactLinkOf(contact, report.name)} target="_blank" rel="noopener noreferrer">
        <MenuContent
          icon={IconMessageQuestion}
          text={t('Contact {{name}}', { name: contactNameOf(contact) })}
        />
      </a>
    )
  );
}

/** What is used less often, and what only some people may do. */
export function MoreMenu({ report, controls, isEditing, onEdit }: Props) {
  const { t } = useTranslation();
  const { data: me } = useMe();
  const [isSharing, setIsSharing] = useState(false);
  const isManager = manages(me, report.workspace_id);
  return (
    <>
      <SmallMenu
        label={t('More actions')}
        button={(props) => (
          <ActionIcon
            {...props}
            variant="default"
            size={32}
            aria-label={t('More actions')}
            title={t('More actions')}
          >
            <IconDots size={16} />
          </ActionIcon>
        )}
      >
        {report.description !== null && (
          <div className="small-menu-label" role="presentation">
            {report.description}
          </div>
        )}
        <button
          {...menuItem}
          type="button"
          disabled={controls === undefined}
          onClick={() =>
            void controls?.print().catch(() => notifyFailure(t('The report could not be printed.')))
          }
        >
          <MenuContent icon={IconPrinter} text={t('Print')} />
        </button>
        {onEdit && (
          <button {...menuItem} type="button" data-wide onClick={onEdit}>
            <MenuContent icon={IconPencil} text={t('Edit')} />
          </button>
        )}
        {isAdmin(me) && report.web_url !== null && (
          <a {...menuItem} href={report.web_url} target="_blank" rel="noreferrer">
            <MenuContent icon={IconExternalLink} text={t('Open in Power BI')} />
          </a>
        )}
        <ContactItem report={report} />
        {isManager && (
          <>
            <hr className="small-menu-separator" />
            {/* Its dialog asks in place of the editor when the page is left. */}
            {!isEditing && (
              <button {...menuItem} type="button" onClick={() => setIsSharing(true)}>
                <MenuContent icon={IconUserPlus} text={t('Share')} />
              </button>
            )}
            <Link {...menuItem} to={`/reports/${report.id}/access`}>
              <MenuContent icon={IconUsers} text={t('Who can see this')} />
            </Link>
          </>
        )}
      </SmallMenu>
      {isSharing && (
        <Suspense>
          <ShareReport report={report} onClose={() => setIsSharing(false)} />
        </Suspense>
      )}
    </>
  );
}
