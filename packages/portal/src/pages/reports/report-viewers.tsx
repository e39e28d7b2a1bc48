import { Button, Modal, Table } from '@mantine/core';
import { useState } from 'react';
import { Explanation } from '../../access/explanation.js';
import { Through } from '../../access/grant-source.js';
import { roleName } from '../../access/roles.js';
import { HolderName } from '../../access/target-grants-table.js';
import { api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { RowCount } from '../../components/row-count.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import type { Report } from './report-rows.js';

type Viewer = components['schemas']['ViewerDto'];

interface TableProps {
  viewers: Viewer[];
  onExplain: (viewer: Viewer) => void;
}

const ViewersTable = ({ viewers, onExplain }: TableProps) => (
  <Table.ScrollContainer minWidth={560}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Role</Table.Th>
          <Table.Th>Through</Table.Th>
          <Table.Th aria-label="Actions" className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {viewers.map((viewer) => (
          <Table.Tr key={viewer.user_id}>
            <Table.Td>
              <HolderName holder={{ ...viewer, type: 'user', id: viewer.user_id }} />
            </Table.Td>
            <Table.Td>{roleName(viewer.role)}</Table.Td>
            <Table.Td>{viewer.role === 'admin' ? '–' : <Through path={viewer.path} />}</Table.Td>
            <Table.Td className="row-actions">
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Why can ${viewer.name} see this?`}
                onClick={() => onExplain(viewer)}
              >
                Why?
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

/** Everyone who can see a report now, with the reason for each. */
export function ReportViewers({ report }: { report: Report }) {
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
      <SearchField label="Search by name" parameter="viewer" />
      <RowCount list={list} one="person" many="people" />
      <ListView list={list} empty={<Empty title="No people match your search" />}>
        {(viewers) => <ViewersTable viewers={viewers} onExplain={setExplained} />}
      </ListView>
      {explained && (
        <Modal
          opened
          onClose={() => setExplained(undefined)}
          title={`Why can ${explained.name} see this?`}
          centered
          size="lg"
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          <Explanation user={{ id: explained.user_id, name: explained.name }} reportId={report.id} />
        </Modal>
      )}
    </>
  );
}
