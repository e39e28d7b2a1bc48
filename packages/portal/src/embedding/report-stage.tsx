import './embedding.css';
import type { EmbedAccess } from '@vitrine/embed';
import { Anchor, Group } from '@mantine/core';
import { useFullscreenElement } from '@mantine/hooks';
import { IconMinimize, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../api/schema.js';
import { ProblemAlert } from '../components/states.js';
import { IconButton } from './icon-button.js';
import { PageChoice } from './page-choice.js';
import { ReportBox } from './report-box.js';
import { type ReportControls, useControls } from './report-controls.js';
import { useReport } from './use-report.js';

type ReportDto = components['schemas']['ReportDto'];

interface Props {
  report: ReportDto;
  access: EmbedAccess;
  /** Power BI's name of the page to begin with. */
  pageName: string | undefined;
  onPage: (name: string) => void;
  onSaved: (saved: { reportName: string; saveAs: boolean }) => void;
  /** Undefined while there is no loaded report. */
  onControls: (controls: ReportControls | undefined) => void;
  /** Whether the viewer can look into why something does not embed. */
  isAdmin: boolean;
  /** Beside the pages. */
  aside?: ReactNode;
}

function EmbedCheck({ reportId }: { reportId: string }) {
  const { t } = useTranslation();
  return (
    <Anchor component={Link} to={`/embedding?report=${reportId}`} size="sm">
      {t('Diagnose')}
    </Anchor>
  );
}

interface FullScreenProps {
  /** Left out while the report is edited: it would discard what is not saved. */
  onReload: (() => void) | undefined;
  onLeave: () => void;
  /** What focus returns to. */
  opener: HTMLElement | null;
}

/** The header of the page, whose button has focus, is not visible in full screen: focus moves in, and back. */
function FullScreenButtons({ onReload, onLeave, opener }: FullScreenProps) {
  const { t } = useTranslation();
  const leave = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const buttons = leave.current?.parentElement;
    leave.current?.focus({ preventScroll: true });
    return () => {
      if (buttons?.contains(document.activeElement) === true) opener?.focus({ preventScroll: true });
    };
  }, [opener]);
  return (
    <Group gap={6} wrap="nowrap">
      {onReload && <IconButton label={t('Refresh')} icon={IconRefresh} onClick={onReload} />}
      <IconButton ref={leave} label={t('Exit full screen')} icon={IconMinimize} onClick={onLeave} />
    </Group>
  );
}

function Stage({ onAgain, aside, onControls, ...props }: Props & { onAgain: () => void }) {
  const { report, access, isAdmin } = props;
  const shown = useReport(props);
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>();
  // Read at the press: the browser takes focus from a hidden button before the window is full.
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const toggleFullScreen = () => {
    if (!fullscreen) setOpener(document.activeElement as HTMLElement | null);
    void toggle();
  };
  useControls(shown, toggleFullScreen, onControls);
  const actions = isAdmin && <EmbedCheck reportId={report.id} />;
  const { end, trouble } = shown.token;
  if (end !== undefined) return <ProblemAlert error={end} onRetry={onAgain} actions={actions} />;
  return (
    <div ref={ref} className="report-stage">
      {trouble !== undefined && (
        <ProblemAlert error={trouble} onRetry={shown.token.renew} actions={actions} />
      )}
      <div className="report-bar">
        <PageChoice pages={shown.pages} shown={shown.active} onChoose={shown.choosePage} />
        {fullscreen ? (
          <FullScreenButtons
            onReload={access === 'view' ? shown.reload : undefined}
            onLeave={toggleFullScreen}
            opener={opener}
          />
        ) : (
          aside
        )}
      </div>
      <ReportBox report={report} shown={shown} actions={actions} onAgain={onAgain} />
    </div>
  );
}

/** A report with its pages and all that can go wrong. */
export function ReportStage(props: Props) {
  const [attempt, again] = useReducer((count: number) => count + 1, 0);
  return <Stage key={`${props.report.id} ${props.access} ${attempt}`} {...props} onAgain={again} />;
}
