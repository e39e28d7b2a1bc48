import { Group, SimpleGrid, Text } from '@mantine/core';
import { t } from 'i18next';
import { groups } from '../../api/sources.js';
import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { RemoteSelect } from '../../components/remote-select.js';
import { ReportPicker } from '../../components/report-picker.js';
import { Empty } from '../../components/states.js';
import { UserPicker } from '../../components/user-picker.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';
import { ExportMenu } from '../../export/export-menu.js';
import { ExportProgress } from '../../export/export-progress.js';
import { useExport } from '../../export/use-export.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { ReviewTable } from './review-table.js';
import { PREVIEW_ROWS, requestReview, useReviewFilters, useReviewPreview } from './use-review.js';

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

function Preview({ filters: { query } }: { filters: Filters }) {
  const preview = useReviewPreview(query);
  return (
    <QueryView query={preview}>
      {({ rows, hasMore }) =>
        rows.length === 0 ? (
          <Empty title={t('No access matches your filters')} />
        ) : (
          <>
            <Text size="sm" c="dimmed" role="status">
              {hasMore
                ? t('Showing the first {{count}} rows. Export the review to get all of them.', {
                    count: PREVIEW_ROWS,
                  })
                : t('{{count}} rows', { count: rows.length })}
            </Text>
            <ReviewTable rows={rows} />
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
