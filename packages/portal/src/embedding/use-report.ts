import type { EmbedAccess } from '@vitrine/embed';
import type { Report } from 'powerbi-client';
import { useEffect, useReducer, useRef, useState } from 'react';
import { t } from 'i18next';
import { queryClient } from '../api/query-client.js';
import type { components } from '../api/schema.js';
import { reportQuery } from '../api/use-report-dto.js';
import { notifyFailure } from '../components/notify.js';
import { isTokenExpired } from './client-problem.js';
import type { FrameEvents, ReportPage } from './power-bi-frame.js';
import { begun, next } from './show-state.js';
import { useKeptToken } from './use-kept-token.js';

interface Options {
  report: components['schemas']['ReportDto'];
  access: EmbedAccess;
  pageName: string | undefined;
  onPage: (name: string) => void;
  onSaved: FrameEvents['onSaved'];
}

/** Most reports are drawn within a few seconds. */
const SLOW_MS = 20_000;

/** What becomes of one report in one frame, from its token on. */
export function useReport({ report, access, pageName, onPage, onSaved }: Options) {
  const token = useKeptToken(report.id, access);
  const [show, dispatch] = useReducer(next, begun);
  const [pages, setPages] = useState<ReportPage[]>([]);
  const [active, setActive] = useState<string>();
  const embedded = useRef<Report>(null);
  const detach = useRef<() => void>(undefined);
  const losesEdits = useRef(false);
  const isPaginated = report.report_type === 'PaginatedReport';

  const isAwaited = token.first !== undefined && show.phase !== 'shown';
  useEffect(() => {
    if (!isAwaited) return undefined;
    const timer = setTimeout(() => dispatch({ type: 'slow' }), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isAwaited, show.attempt]);

  const showPage = (name: string): void => {
    setActive(name);
    onPage(name);
  };
  const events: FrameEvents = {
    onReport: (embed) => {
      detach.current?.();
      detach.current = token.attach(embed);
      embedded.current = embed;
      dispatch({ type: 'begun' });
    },
    onLoaded: () => {
      dispatch({ type: 'loaded' });
      if (losesEdits.current)
        notifyFailure(
          t(
            'The report was loaded again because its access had expired. Changes that were not saved are lost.',
          ),
        );
      losesEdits.current = false;
      // A paginated report says no more than that.
      if (isPaginated) dispatch({ type: 'rendered' });
    },
    onPages: setPages,
    onRendered: () => dispatch({ type: 'rendered' }),
    onPage: ({ name }) => showPage(name),
    onSaved,
    onError: (problem) => {
      // Until it is shown again, there is nothing more to lose.
      if (access === 'edit' && show.phase === 'shown' && isTokenExpired(problem)) losesEdits.current = true;
      dispatch({ type: 'error', problem });
    },
  };
  return {
    token,
    show,
    dispatch,
    events,
    isPaginated,
    /** To choose from: an editor chooses within the report. */
    pages: pages.length > 1 && access === 'view' ? pages : [],
    active: active ?? pages.find(({ isActive }) => isActive)?.name,
    pageName,
    embedded,
    showPage,
    choosePage: (name: string) => void embedded.current?.setPage(name).catch(() => undefined),
    reload: () => {
      dispatch({ type: 'begun' });
      // The service checks the rights again: the report ends here for those who lost them.
      token.renew();
      void embedded.current?.reload().catch(() => undefined);
      void queryClient.invalidateQueries(reportQuery(report.id));
    },
  };
}

export type ShownReport = ReturnType<typeof useReport>;
