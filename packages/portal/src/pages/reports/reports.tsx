import { SimpleGrid } from '@mantine/core';
import { t } from 'i18next';
import { useTranslation } from 'react-i18next';
import { RequestAccessHint } from '../../access/request-access-hint.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { RowCount } from '../../components/row-count.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';
import { ReportRows } from './report-rows.js';
import { useReports } from './use-reports.js';

function emptyFor(q: string | undefined, isFiltered: boolean) {
  if (q !== undefined)
    return (
      <Empty
        title={
          isFiltered
            ? t('No reports in this workspace match “{{q}}”', { q })
            : t('No reports match “{{q}}”', { q })
        }
      />
    );
  if (isFiltered) return <Empty title={t('This workspace has no reports yet')} />;
  return (
    <Empty title={t("You don't have access to any reports yet")}>
      <RequestAccessHint />
    </Empty>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [workspace, setWorkspace] = useParameter('workspace');
  const { list, q } = useReports(workspace ?? undefined);
  return (
    <Page
      title={t('Reports')}
      lead={<RowCount list={list}>{(count) => t('{{count}} reports', { count })}</RowCount>}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" style={{ alignItems: 'end' }}>
        <SearchField label={t('Search reports')} />
        <WorkspacePicker
          label={t('Workspace')}
          value={workspace}
          onChange={setWorkspace}
          placeholder={t('All')}
        />
      </SimpleGrid>
      <ListView list={list} empty={emptyFor(q, workspace !== null)}>
        {(reports) => <ReportRows reports={reports} withWorkspace />}
      </ListView>
    </Page>
  );
}
