import type { Report } from 'powerbi-client';
import { useEffect, useMemo, useRef } from 'react';
import type { ShownReport } from './use-report.js';

/** What can be done with a report once Power BI has loaded it. Each load has controls of its own. */
export interface ReportControls {
  reload: () => void;
  toggleFullScreen: () => void;
  print: () => Promise<void>;
  /** The state of filters, slicers and sorting, and the active page. */
  capture: () => Promise<{ state: string; page: string | null }>;
  /** Applies a captured state; `page` replaces its active page. */
  apply: (state: string, page?: string) => Promise<void>;
}

async function activePage(report: Report): Promise<string | null> {
  return (await report.getActivePage()).name;
}

const CAPTURE_MS = 15_000;
/** The most that the service accepts, in bytes. */
const MAX_STATE = 65_536;

/** Whether a captured state can be neither saved nor exported. */
export const isTooLarge = (state: string): boolean => new Blob([state]).size > MAX_STATE;

async function capture(report: Report) {
  const { state } = await report.bookmarksManager.capture();
  return { state: state ?? '', page: await activePage(report) };
}

/** Power BI's client waits without a limit, and a report that is loaded again meanwhile does not respond. */
async function noResponse(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, CAPTURE_MS));
  throw new Error('The report does not respond.');
}

/**
 * Offers the controls from the first `loaded` event until the report ends or is replaced; those of one load also while the
 * next one begins.
 */
export function useControls(
  shown: ShownReport,
  toggleFullScreen: () => void,
  onControls: (controls: ReportControls | undefined) => void,
): void {
  const { loads } = shown.show;
  const now = useRef({ shown, toggleFullScreen, onControls });
  useEffect(() => {
    now.current = { shown, toggleFullScreen, onControls };
  });
  const controls = useMemo<ReportControls>(() => {
    const embedded = async (): Promise<Report> => {
      const report = now.current.shown.embedded.current;
      if (report === null) throw new Error('The report was closed.');
      return report;
    };
    return {
      reload: () => now.current.shown.reload(),
      toggleFullScreen: () => now.current.toggleFullScreen(),
      print: async () => (await embedded()).print(),
      capture: async () => Promise.race([capture(await embedded()), noResponse()]),
      apply: async (state, page) => {
        const report = await embedded();
        await report.bookmarksManager.applyState(state);
        if (page !== undefined) await report.setPage(page);
        // Not every page change by a bookmark has an event.
        now.current.shown.showPage((await activePage(report)) ?? '');
      },
    };
  }, [loads]);
  const isOffered = loads > 0 && shown.token.end === undefined;
  useEffect(() => {
    if (!isOffered) return undefined;
    now.current.onControls(controls);
    return () => now.current.onControls(undefined);
  }, [isOffered, controls]);
}
