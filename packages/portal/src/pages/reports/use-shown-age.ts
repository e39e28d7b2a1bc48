import { useEffect, useState } from 'react';
import { queryClient } from '../../api/query-client.js';
import { reportQuery } from '../../api/use-report-dto.js';
import type { ReportControls } from '../../embedding/report-controls.js';
import type { Report } from './report-rows.js';

interface ShownAge {
  /** Of the data that the frame shows: it queries the data when it loads the report. */
  data_as_of: Report['data_as_of'];
  /** Whether a refresh has ended since the frame loaded the report. */
  isOutdated: boolean;
}

/** The age of the data in the frame. `controls` are those of its last load. */
export function useShownAge(report: Report, controls: ReportControls | undefined): ShownAge {
  const { id, data_as_of: latest } = report;
  const [atLoad, setAtLoad] = useState<string | null>();
  useEffect(() => {
    setAtLoad(undefined);
    if (controls === undefined) return undefined;
    let isLastLoad = true;
    queryClient.fetchQuery(reportQuery(id)).then(
      ({ data_as_of }) => isLastLoad && setAtLoad(data_as_of),
      // The report page shows why it cannot be read.
      () => undefined,
    );
    return () => {
      isLastLoad = false;
    };
  }, [id, controls]);
  const shown = atLoad ?? latest;
  const isOutdated = shown !== null && latest !== null && Date.parse(latest) > Date.parse(shown);
  return { data_as_of: shown, isOutdated };
}
