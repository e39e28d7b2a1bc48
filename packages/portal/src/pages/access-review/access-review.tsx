import { Alert, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { t } from 'i18next';
import { groups } from '../../api/sources.js';
import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { RemoteSelect } from '../../components/remote-select.js';
import { SearchField } from '../../components/search-field.js';
import { ReportPicker } from '../../components/report-picker.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { UserPicker } from '../../components/user-picker.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';
import { ExportMenu } from '../../export/export-menu.js';
import { ExportProgress } from '../../export/export-progress.js';
import { useExport } from '../../export/use-export.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { matching, sorted } from './review-order.js';
import type { ReviewRow } from './review-row.js';
import { ReviewTable } from './review-table.js';
import { MAX_ROWS, requestReview, useReviewFilters, useReviewPreview } from './use-review.js';

type Filters = ReturnType<typeof useReviewFilters>;

const exportAllWarning = () => ({
  title: t('Export access of all users?'),
  text: t(
    'No filters are set. In a large organization, the file can have millions of rows. Select a workspace to export fewer.',
  ),
});

/** Managers review one of their workspaces or a report in it; the other filters are for admins. */
function ReviewFilters({ filters: { valueOf, set } }: { filters: Filters }) {
  const { data: me } = useMe();
  const field = (scope: Parameters<typeof set>[0]) => ({
    value: valueOf(scope),
    onChange: (id: string | null) => set(scope, id),
  });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: isAdmin(me) ? 4 : 2 }}>
      <WorkspacePicker label={t('Workspace')} {...field('workspace')} />
      <ReportPicker label={t('Report')} {...field('report')} />
      {isAdmin(me) && (
        <>
          <RemoteSelect
            label={t('Group')}
            placeholder={t('Search groups')}
            source={groups}
            {...field('group')}
          />
          <UserPicker label={t('User or service account')} programs {...field('user')} />
        </>
      )}
    </SimpleGrid>
  );
}

/** Rows that are drawn at once. */
const SHOWN = 200;

/** Beyond what the page can sort and search. */
const Limited = () => (
  <Alert color="yellow" role="status">
    {t(
      'Search and order apply to the first {{count}} rows. Select a workspace to see fewer, or export the review to get all of them.',
      { count: MAX_ROWS },
    )}
  </Alert>
);

function Rows({ rows }: { rows: ReviewRow[] }) {
  const [q] = useParameter('q');
  const [sort] = useParameter('sort');
  const [pages, setPages] = useState(1);
  const found = useMemo(() => sorted(matching(rows, q ?? ''), sort ?? 'user'), [rows, q, sort]);
  const shown = found.slice(0, pages * SHOWN);
  return (
    <>
      <SearchField label={t('Search the review')} />
      <Text size="sm" c="dimmed" role="status">
        {t('{{count}} rows', { count: found.length })}
      </Text>
      {found.length === 0 ? (
        <Empty title={t('No access matches your search')} />
      ) : (
        <ReviewTable rows={shown} />
      )}
      {shown.length < found.length && (
        <Button variant="default" style={{ alignSelf: 'center' }} onClick={() => setPages(pages + 1)}>
          {t('Show more')}
        </Button>
      )}
    </>
  );
}

function Preview({ filters: { query } }: { filters: Filters }) {
  const preview = useReviewPreview(query);
  return (
    <QueryView query={preview}>
      {({ rows, hasMore }) =>
        rows.length === 0 ? (
          <Empty title={t('No access matches your filters')} />
        ) : (
          <>
            {hasMore && <Limited />}
            <Rows rows={rows} />
          </>
        )
      }
    </QueryView>
  );
}

/** Who has access to what, through which groups, and granted by whom. */
export function Component() {
  const { data: me } = useMe();
  const filters = useReviewFilters();
  const { query, isFiltered } = filters;
  const exporting = useExport('access-review', requestReview(query));
  const hasScope = isAdmin(me) || query.workspace_id !== undefined || query.report_id !== undefined;
  return (
    <Page
      title={t('Access review')}
      lead={t('Review who has access, through which groups, and who granted it.')}
      actions={
        hasScope && (
          <Group>
            <ExportMenu
              exporting={exporting}
              label={t('All rows that match your filters')}
              warning={isFiltered ? undefined : exportAllWarning()}
            />
          </Group>
        )
      }
    >
      <ReviewFilters filters={filters} />
      <ExportProgress exporting={exporting} />
      {hasScope ? (
        <Preview filters={filters} />
      ) : (
        <Empty title={t('Select a workspace')}>
          {t('You can review access to the workspaces that you manage.')}
        </Empty>
      )}
    </Page>
  );
}
