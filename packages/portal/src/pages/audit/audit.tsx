import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { Empty } from '../../components/states.js';
import { ExportMenu } from '../../export/export-menu.js';
import { ExportProgress } from '../../export/export-progress.js';
import { useExport } from '../../export/use-export.js';
import { EventList } from './event-list.js';
import { AuditFilters } from './filters.js';
import { useAuditFilters } from './use-audit-filters.js';

const wholeTrail = {
  title: 'Export the whole audit trail?',
  text: 'No filter is set. Several years of events can take a long time and gigabytes. Select a period for a smaller file.',
};

export function Component() {
  const filters = useAuditFilters();
  const { query, isFiltered } = filters;
  const exporting = useExport('audit-events', (options) =>
    api.GET('/api/audit-events', {
      params: { query: { ...query, sort: '-at', limit: 1000 } },
      ...options,
    }),
  );
  const list = useList(
    ['audit-events', query],
    (cursor, signal) =>
      api.GET('/api/audit-events', {
        params: { query: { ...query, cursor, limit: 50, sort: '-at' } },
        signal,
      }),
    // A file comes to whoever asks for one, as the export does.
    (page) => (typeof page === 'string' ? [] : page.audit_events),
  );
  return (
    <Page
      title="Audit trail"
      lead="Who did what, and what was refused. Nothing here can be changed."
      actions={
        <ExportMenu
          exporting={exporting}
          label="All events that match the filters"
          warning={isFiltered ? undefined : wholeTrail}
        />
      }
    >
      <AuditFilters {...filters} />
      <ExportProgress exporting={exporting} />
      <ListView
        list={list}
        empty={<Empty title="Nothing like that happened">Take a filter away to see more.</Empty>}
      >
        {(events) => <EventList events={events} />}
      </ListView>
    </Page>
  );
}
