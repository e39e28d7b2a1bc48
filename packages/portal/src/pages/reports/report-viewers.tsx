import { Button, Table } from '@mantine/core';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Explanation } from '../../access/explanation.js';
import { Through } from '../../access/grant-source.js';
import { roleName } from '../../access/roles.js';
import { HolderName } from '../../access/target-grants-table.js';
import { api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { useList } from '../../api/use-list.js';
import { Dialog } from '../../components/dialog.js';
import { HiddenHeader } from '../../components/hidden-header.js';
import { ListView } from '../../components/list-view.js';
import { RowCount } from '../../components/row-count.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { WideTable } from '../../components/wide-table.js';
import type { Report } from './report-rows.js';

type Viewer = components['schemas']['ViewerDto'];

interface TableProps {
  viewers: Viewer[];
  onExplain: (viewer: Viewer) => void;
}

interface RowProps extends Pick<TableProps, 'onExplain'> {
  viewer: Viewer;
}

const Row = memo(function Row({ viewer, onExplain }: RowProps) {
  const { t } = useTranslation();
  return (
    <Table.Tr>
      <Table.Td>
        <HolderName holder={{ ...viewer, type: 'user', id: viewer.user_id }} />
      </Table.Td>
      <Table.Td>{roleName(viewer.role)}</Table.Td>
      <Table.Td>{viewer.role === 'admin' ? '–' : <Through path={viewer.path} />}</Table.Td>
      <Table.Td className="row-actions">
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('Why can {{name}} see this?', { name: viewer.name })}
          onClick={() => onExplain(viewer)}
        >
          {t('Why?')}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
});

function ViewersTable({ viewers, onExplain }: TableProps) {
  const { t } = useTranslation();
  return (
    <WideTable minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Name')}</Table.Th>
            <Table.Th>{t('Role')}</Table.Th>
            <Table.Th>{t('Through')}</Table.Th>
            <HiddenHeader label={t('Actions')} className="row-actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {viewers.map((viewer) => (
            <Row key={viewer.user_id} viewer={viewer} onExplain={onExplain} />
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}

/** Everyone who can see a report now, with the reason for each. */
export function ReportViewers({ report }: { report: Report }) {
  const { t } = useTranslation();
  const [explained, setExplained] = useState<Viewer>();
  const q = useParameter('viewer')[0] ?? undefined;
  const list = useList(
    ['reports', report.id, 'viewers', q],
    (cursor, signal) =>
      api.GET('/api/reports/{id}/viewers', {
        params: { path: { id: report.id }, query: { q, cursor, sort: 'name', limit: 50 } },
        signal,
      }),
    ({ viewers }) => viewers,
  );
  return (
    <>
      <SearchField label={t('Search by name')} parameter="viewer" />
      <RowCount list={list}>{(count) => t('{{count}} users', { count })}</RowCount>
      <ListView list={list} empty={<Empty title={t('No users match your search')} />}>
        {(viewers) => <ViewersTable viewers={viewers} onExplain={setExplained} />}
      </ListView>
      {explained && (
        <Dialog
          onClose={() => setExplained(undefined)}
          title={t('Why can {{name}} see this?', { name: explained.name })}
          size="lg"
        >
          <Explanation user={{ id: explained.user_id, name: explained.name }} reportId={report.id} />
        </Dialog>
      )}
    </>
  );
}
