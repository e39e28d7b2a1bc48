import { useEffect, useState } from 'react';
import { queryClient } from '../../api/query-client.js';
import { reportQuery } from '../../api/use-report-dto.js';
import type { ReportControls } from '../../embedding/report-controls.js';
import type { Report } from './report-rows.js';

interface Age {
  /** Of the data that the frame shows: it queries the data when it loads the report. */
  data_as_of: Report['data_as_of'];
}

const timeOf = (instant: string | null): number => (instant === null ? 0 : Date.parse(instant));

/**
 * The age of the data in the frame, and whether a refresh has ended since the frame loaded the report. `controls` are those of
 * its last load. The service checks refreshes every ten minutes: it may report one that ended before the load.
 */
export function useShownAge(
  report: Report,
  controls: ReportControls | undefined,
): Age & { isOutdated: boolean } {
  const { id, data_as_of: latest } = report;
  const [load, setLoad] = useState<Age & { at: number }>();
  useEffect(() => {
    setLoad(undefined);
    if (controls === undefined) return undefined;
    const at = Date.now();
    let isLast = true;
    queryClient.fetchQuery(reportQuery(id)).then(
      ({ data_as_of }) => isLast && setLoad({ at, data_as_of }),
      // The report page shows why it cannot be read.
      () => undefined,
    );
    return () => {
      isLast = false;
    };
  }, [id, controls]);
  if (load === undefined) return { data_as_of: latest, isOutdated: false };
  const isNewer = timeOf(latest) > timeOf(load.data_as_of);
  const isOutdated = isNewer && timeOf(latest) > load.at;
  if (isNewer && !isOutdated) setLoad({ ...load, data_as_of: latest });
  return { data_as_of: load.data_as_of, isOutdated };
}
