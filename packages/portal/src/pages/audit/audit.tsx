import { t } from 'i18next';
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

const exportAllWarning = () => ({
  title: t('Export the whole audit log?'),
  text: t(
    'No filters are set. Exporting several years of events can take a long time and produce gigabytes of data. Select a time range for a smaller file.',
  ),
});

export function Component() {
  const filters = useAuditFilters();
  const { query, queryAt, isFiltered } = filters;
  const exporting = useExport('audit-events', (options) =>
    api.GET('/api/audit-events', {
      params: { query: { ...queryAt(Date.now()), sort: '-at', limit: 1000 } },
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
    // The API returns text only to requests for a file.
    (page) => (typeof page === 'string' ? [] : page.audit_events),
  );
  return (
    <Page
      title={t('Audit log')}
      lead={t("Who did what, and what was denied. Events can't be changed.")}
      actions={
        <ExportMenu
          exporting={exporting}
          label={t('All events that match the filters')}
          warning={isFiltered ? undefined : exportAllWarning()}
        />
      }
    >
      <AuditFilters {...filters} error={list.error} />
      <ExportProgress exporting={exporting} />
      <ListView
        list={list}
        empty={
          <Empty title={t('No events match your filters')}>{t('Remove a filter to see more events.')}</Empty>
        }
      >
        {(events) => <EventList events={events} />}
      </ListView>
    </Page>
  );
}
