import './embedding.css';
import type { EmbedAccess } from '@vitrine/embed';
import { Anchor, Group } from '@mantine/core';
import { useFullscreenElement } from '@mantine/hooks';
import { IconMaximize, IconMinimize, IconReload } from '@tabler/icons-react';
import { useReducer } from 'react';
import { Link } from 'react-router';
import type { components } from '../api/schema.js';
import { ProblemAlert } from '../components/states.js';
import { IconButton } from './icon-button.js';
import { PageChoice } from './page-choice.js';
import { ReportBox } from './report-box.js';
import { useReport } from './use-report.js';

type ReportDto = components['schemas']['ReportDto'];

interface Props {
  report: ReportDto;
  access: EmbedAccess;
  /** Power BI's name of the page to begin with. */
  pageName: string | undefined;
  onPage: (name: string) => void;
  onSaved: (saved: { reportName: string; saveAs: boolean }) => void;
  /** Whether the viewer can look into why something does not embed. */
  isAdmin: boolean;
}

const EmbedCheck = ({ reportId }: { reportId: string }) => (
  <Anchor component={Link} to={`/embedding?report=${reportId}`} size="sm">
    Find out why
  </Anchor>
);

function Stage({ onAgain, ...props }: Props & { onAgain: () => void }) {
  const { report, isAdmin } = props;
  const shown = useReport(props);
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>();
  const actions = isAdmin && <EmbedCheck reportId={report.id} />;
  const { end, trouble } = shown.token;
  if (end !== undefined) return <ProblemAlert error={end} onRetry={onAgain} actions={actions} />;
  return (
    <div ref={ref} className="report-stage">
      {trouble !== undefined && (
        <ProblemAlert error={trouble} onRetry={shown.token.renew} actions={actions} />
      )}
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <PageChoice pages={shown.pages} shown={shown.active} onChoose={shown.choosePage} />
        <Group gap={6} wrap="nowrap">
          <IconButton label="Load the report again" icon={IconReload} onClick={shown.reload} />
          {document.fullscreenEnabled && (
            <IconButton
              label={fullscreen ? 'Leave full screen' : 'Full screen'}
              icon={fullscreen ? IconMinimize : IconMaximize}
              onClick={() => void toggle()}
            />
          )}
        </Group>
      </Group>
      <ReportBox report={report} shown={shown} actions={actions} />
    </div>
  );
}

/** A report with what belongs to looking at it: its pages, full screen, loading again, and all that can go wrong. */
export function ReportStage(props: Props) {
  const [attempt, again] = useReducer((count: number) => count + 1, 0);
  return <Stage key={`${props.report.id} ${props.access} ${attempt}`} {...props} onAgain={again} />;
}
