import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { Empty } from '../../components/states.js';
import { EventList } from './event-list.js';
import { ExportMenu, ExportProgress } from './export.js';
import { AuditFilters } from './filters.js';
import { useAuditFilters } from './use-audit-filters.js';
import { useExport } from './use-export.js';

export function Component() {
  const filters = useAuditFilters();
  const { query, isFiltered } = filters;
  const exporting = useExport(query);
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
      actions={<ExportMenu exporting={exporting} isFiltered={isFiltered} />}
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
