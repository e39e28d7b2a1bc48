import { Loader } from '@mantine/core';
import { IconCheck, IconDownload } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../api/schema.js';
import { notifyFailure } from '../components/notify.js';
import { menuHint, menuItem, menuRadio, SmallMenu } from '../components/small-menu.js';
import { useParameter } from '../components/use-parameter.js';
import { isTooLarge, type ReportControls } from '../embedding/report-controls.js';
import { load } from '../load/load-error.js';
import { msg } from '../i18n/index.js';
import { ToolButton } from '../pages/reports/tool-button.js';
import {
  type ExportRefusal,
  type ReportFormat,
  useExportOptions,
  useReportExports,
} from './use-report-export.js';

const ExportNotices = lazy(load(() => import('./export-notices.js')));

const labels: Record<ReportFormat, string> = {
  PDF: 'PDF',
  PPTX: 'PowerPoint',
  PNG: 'PNG',
  XLSX: 'Excel',
  DOCX: 'Word',
  CSV: 'CSV',
};

const reasons: Record<ExportRefusal, string> = {
  blocked: msg('Access to this report is blocked. Contact an administrator.'),
  viewers_not_allowed: msg(
    "Viewers can't export reports of this workspace. A manager of the workspace can allow it.",
  ),
};

interface Props {
  report: Pick<components['schemas']['ReportDto'], 'id' | 'report_type'>;
  controls: ReportControls | undefined;
}

interface ChoiceProps {
  label: string;
  isChosen: boolean;
  onChoose: () => void;
}

const Choice = ({ label, isChosen, onChoose }: ChoiceProps) => (
  <button {...menuRadio} type="button" aria-checked={isChosen} onClick={onChoose}>
    {isChosen ? <IconCheck size={16} aria-hidden /> : <span className="menu-space" />}
    <span>{label}</span>
  </button>
);

/** The state on the screen. Undefined after a message that there is none to export. */
function useCapture(controls: ReportControls | undefined): () => Promise<string | undefined> {
  const { t } = useTranslation();
  return async () => {
    const captured = await controls?.capture().catch(() => undefined);
    if (captured === undefined) notifyFailure(t('Power BI could not capture the current view'));
    else if (isTooLarge(captured.state))
      notifyFailure(t('The current view is too large to export. Export the default view instead.'));
    else return captured.state;
    return undefined;
  };
}

function NoExport({ reason }: { reason: string }) {
  const { t } = useTranslation();
  return (
    <SmallMenu
      label={t('Export')}
      button={(props) => <ToolButton {...props} label={t('Export')} icon={IconDownload} c="dimmed" />}
    >
      <div {...menuHint}>{t(reason)}</div>
    </SmallMenu>
  );
}

/** Exports a report in the formats of its type; says why to a person without the right. */
export function ExportMenu({ report, controls }: Props) {
  const { t } = useTranslation();
  const [page] = useParameter('page');
  const [isDefault, setIsDefault] = useState(false);
  const capture = useCapture(controls);
  const { data: options } = useExportOptions(report.id);
  const exporting = useReportExports(report.id);
  /** Power BI takes a moment, in which a second click must not start a second export. */
  const [isStarting, setIsStarting] = useState(false);
  if (options === undefined) return null;
  if (options.reason !== null) return <NoExport reason={reasons[options.reason]} />;
  // A paginated report has no views, and nothing is shown before a report is loaded.
  const hasViews = report.report_type === 'PowerBIReport' && controls !== undefined;
  const start = async (format: ReportFormat, pages?: string[]): Promise<void> => {
    setIsStarting(true);
    try {
      const view_state = hasViews && !isDefault ? await capture() : undefined;
      if (hasViews && !isDefault && view_state === undefined) return;
      await exporting.start.mutateAsync({ format, pages, view_state }).catch(() => undefined);
    } finally {
      setIsStarting(false);
    }
  };
  const formats = (labelOf: (format: string) => string, pages?: string[]) =>
    options.formats.map((format) => (
      <button
        {...(isStarting ? menuHint : menuItem)}
        key={format}
        type="button"
        onClick={isStarting ? undefined : () => void start(format, pages)}
      >
        {labelOf(labels[format])}
      </button>
    ));
  const isPaged = options.formats.includes('PNG') && page !== null;
  return (
    <>
      <SmallMenu
        label={t('Export')}
        button={(props) => (
          // Not disabled while a request is sent: a disabled button loses the focus.
          <ToolButton
            {...props}
            label={t('Export')}
            icon={isStarting ? Loader : IconDownload}
            aria-busy={isStarting}
          />
        )}
      >
        {isStarting && (
          <div className="small-menu-label" role="presentation">
            {t('Preparing the export…')}
          </div>
        )}
        {hasViews && (
          <>
            <Choice label={t('Current view')} isChosen={!isDefault} onChoose={() => setIsDefault(false)} />
            <Choice label={t('Default view')} isChosen={isDefault} onChoose={() => setIsDefault(true)} />
            <hr className="small-menu-separator" />
          </>
        )}
        {isPaged && (
          <div className="small-menu-label" role="presentation">
            {t('All pages')}
          </div>
        )}
        {formats((format) => format)}
        {!options.formats.includes('XLSX') && (
          <div {...menuHint}>{t('Excel, Word and CSV: paginated reports only')}</div>
        )}
        {isPaged && (
          <>
            <div className="small-menu-label" role="presentation">
              {t('Current page')}
            </div>
            {formats((format) => t('{{format}}, current page', { format }), [page])}
          </>
        )}
      </SmallMenu>
      {exporting.shown.length > 0 && (
        <Suspense>
          <ExportNotices {...exporting} />
        </Suspense>
      )}
    </>
  );
}
