import { Group, SimpleGrid, Text } from '@mantine/core';
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

const everything = {
  title: 'Export the access of everyone?',
  text: 'No filter is set. In a large organization the file has millions of lines. Select a workspace for a smaller file.',
};

/** Managers review one of their workspaces or a report in it; the other filters are for admins. */
function ReviewFilters({ filters: { valueOf, set } }: { filters: Filters }) {
  const { data: me } = useMe();
  const field = (scope: Parameters<typeof set>[0]) => ({
    value: valueOf(scope),
    onChange: (id: string | null) => set(scope, id),
  });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: isAdmin(me) ? 4 : 2 }}>
      <WorkspacePicker label="Workspace" {...field('workspace')} />
      <ReportPicker label="Report" {...field('report')} />
      {isAdmin(me) && (
        <>
          <RemoteSelect label="Group" placeholder="Name of a group" source={groups} {...field('group')} />
          <UserPicker label="User or service account" programs {...field('user')} />
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
          <Empty title="No access matches these filters" />
        ) : (
          <>
            <Text size="sm" c="dimmed" role="status">
              {hasMore
                ? `The first ${PREVIEW_ROWS} lines. Export the review for all lines.`
                : `${rows.length} ${rows.length === 1 ? 'line' : 'lines'}`}
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
      title="Access review"
      lead="Who has access to what, through which groups, and who granted it."
      actions={
        hasScope && (
          <Group>
            <ExportMenu
              exporting={exporting}
              label="All lines that match the filters"
              warning={isFiltered ? undefined : everything}
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
        <Empty title="Select a workspace">You can review the workspaces that you manage.</Empty>
      )}
    </Page>
  );
}
