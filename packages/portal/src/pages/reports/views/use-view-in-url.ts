import { t } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { notifyFailure, notifyProblem } from '../../../components/notify.js';
import { ProblemError } from '../../../api/problem.js';
import { useAutomaticParameter, useParameter } from '../../../components/use-parameter.js';
import type { ReportControls } from '../../../embedding/report-controls.js';
import { useView } from './use-views.js';

export interface ActiveView {
  id: string | null;
  /** Applies a view, also again after the viewer changed something. */
  apply: (id: string) => void;
  /** The current state became this view. */
  adopt: (id: string) => void;
  clear: () => void;
}

const pageInUrl = (): string | undefined => new URLSearchParams(location.search).get('page') ?? undefined;

/**
 * Applies the saved view that the address names, after each load of the report: a load clears its filters. A page in the
 * address takes precedence over that of the view.
 */
export function useViewInUrl(reportId: string, controls: ReportControls | undefined): ActiveView {
  const [id, setId] = useParameter('view');
  const [, setAutomatically] = useAutomaticParameter('view');
  const { data: view, error } = useView(reportId, id);
  const [attempt, setAttempt] = useState(0);
  const applied = useRef<string>(undefined);
  const page = useRef(pageInUrl());

  useEffect(() => {
    // The next report in the frame starts on the page of the address, and a report that is loaded again stays on its page.
    if (controls === undefined || applied.current !== undefined) page.current = pageInUrl();
    applied.current = undefined;
  }, [controls]);

  useEffect(() => {
    if (controls === undefined || view === undefined || view.id !== id || applied.current === id) return;
    applied.current = id;
    controls
      .apply(view.state, page.current)
      .catch(() => notifyFailure(t('The saved view could not be applied')));
    page.current = undefined;
  }, [controls, view, id, attempt]);

  useEffect(() => {
    if (error === null || id === null) return;
    // A temporary failure keeps the link.
    if (error instanceof ProblemError && error.isTemporary) return notifyProblem(error);
    notifyFailure(t('Saved view not found, or not shared with you'));
    setAutomatically(null);
  }, [error, id]);

  return {
    id,
    apply: (next) => {
      applied.current = undefined;
      page.current = undefined;
      setId(next);
      setAttempt((count) => count + 1);
    },
    adopt: (next) => {
      applied.current = next;
      setId(next);
    },
    clear: () => setId(null),
  };
}
