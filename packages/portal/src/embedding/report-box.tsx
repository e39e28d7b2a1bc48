import { Alert, Text, useMatches } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../api/schema.js';
import { FailureAlert } from '../components/states.js';
import { load } from '../load/load-error.js';
import { codeOfClient, textsOfClient } from './client-problem.js';
import { Cover, LoadingReport, Slow } from './covers.js';
import type { ShownReport } from './use-report.js';

/** Microsoft's client is large: only who opens a report loads it, while the token is on its way. */
const loadFrame = load(() => import('./power-bi-frame.js'));
const PowerBiFrame = lazy(loadFrame);

interface Props {
  report: components['schemas']['ReportDto'];
  shown: ShownReport;
  /** What can be done about a failure. */
  actions: ReactNode;
  /** Loads it in another frame. */
  onAgain: () => void;
}

/** What lies over the frame, if anything does. */
function CoverOf({ shown: { token, show, reload }, actions, onAgain }: Omit<Props, 'report'>) {
  const { t } = useTranslation();
  if (show.failure !== undefined) {
    const { title, text } = textsOfClient(show.failure);
    return (
      <Cover>
        <FailureAlert
          title={t(title)}
          text={t(text)}
          code={codeOfClient(show.failure)}
          onRetry={reload}
          actions={actions}
        />
      </Cover>
    );
  }
  // What Power BI never calls drawn is shown as it is after a while.
  if (!token.isExpired && (show.phase === 'shown' || (show.isSlow && show.phase === 'loaded'))) return null;
  // Nothing is on its way while there is no token: the reason is above.
  const isStopped = token.trouble !== undefined && (token.first === undefined || token.isExpired);
  if (isStopped) return <Cover>{null}</Cover>;
  return (
    <Cover>
      {show.isSlow && <Slow onAgain={onAgain} />}
      <LoadingReport />
    </Cover>
  );
}

function Note({ shown: { show, dispatch } }: Pick<Props, 'shown'>) {
  const { t } = useTranslation();
  if (show.note === undefined) return null;
  const { title, text } = textsOfClient(show.note);
  return (
    <Alert
      color="yellow"
      title={t(title)}
      withCloseButton
      closeButtonLabel={t('Close')}
      onClose={() => dispatch({ type: 'noted' })}
    >
      <Text size="sm">{t(text)}</Text>
      <Text size="xs" ff="monospace">
        {codeOfClient(show.note)}
      </Text>
    </Alert>
  );
}

export function ReportBox({ report, shown, actions, onAgain }: Props) {
  const { t } = useTranslation();
  useEffect(() => void loadFrame().catch(() => undefined), []);
  const isPhone = useMatches({ base: true, sm: false });
  const [pageName] = useState(shown.pageName);
  const { first } = shown.token;
  return (
    <>
      <Note shown={shown} />
      <div className="report-box">
        {first !== undefined && (
          <Suspense>
            <PowerBiFrame
              token={first}
              title={t('Report {{name}}', { name: report.name })}
              isPhone={isPhone}
              isPaginated={shown.isPaginated}
              pageName={pageName}
              {...shown.events}
            />
          </Suspense>
        )}
        <CoverOf shown={shown} actions={actions} onAgain={onAgain} />
      </div>
    </>
  );
}
