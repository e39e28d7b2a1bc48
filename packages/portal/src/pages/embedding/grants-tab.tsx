import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { ReportPicker } from '../../components/report-picker.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { UserPicker } from '../../components/user-picker.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';
import { GrantTable } from './grant-table.js';
import { RevokeDialog, type Scope } from './revoke-dialog.js';

const states = [
  { value: 'true', label: 'Still good' },
  { value: 'false', label: 'Ended' },
];

const activeOf = (value: string | null): boolean | undefined =>
  value === 'true' ? true : value === 'false' ? false : undefined;

/** The embed tokens that were issued, and to whom. */
export function GrantsTab() {
  const [user, setUser] = useParameter('user');
  const [report, setReport] = useParameter('report');
  const [workspace, setWorkspace] = useParameter('workspace');
  const [active, setActive] = useParameter('active');
  const [revoking, setRevoking] = useState<Scope | null>(null);
  const filters = {
    user_id: user ?? undefined,
    report_id: report ?? undefined,
    workspace_id: workspace ?? undefined,
    active: activeOf(active),
  };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const list = useList(
    ['embed-grants', 'list', filters],
    (cursor, signal) =>
      api.GET('/api/embed-grants', {
        params: { query: { ...filters, cursor, limit: 50, sort: '-issued_at' } },
        signal,
      }),
    ({ embed_grants }) => embed_grants,
  );
  return (
    <Stack>
      <Text size="sm">Each token opens one report for one person, and ends by itself.</Text>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <UserPicker label="Person" placeholder="All" value={user} onChange={setUser} programs />
        <ReportPicker label="Report" placeholder="All" value={report} onChange={setReport} />
        <WorkspacePicker label="Workspace" placeholder="All" value={workspace} onChange={setWorkspace} />
        <Select
          label="State"
          placeholder="All"
          data={states}
          value={activeOf(active) === undefined ? null : active}
          onChange={setActive}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear State' }}
        />
      </SimpleGrid>
      {isFiltered && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconBan size={16} aria-hidden />}
            onClick={() => setRevoking({ user, report, workspace })}
          >
            Revoke embedding for this…
          </Button>
        </Group>
      )}
      <ListView
        list={list}
        empty={
          isFiltered ? (
            <Empty title="No token was issued like that" />
          ) : (
            <Empty title="No token was issued yet">They come as soon as somebody opens a report.</Empty>
          )
        }
      >
        {(grants) => <GrantTable grants={grants} />}
      </ListView>
      {revoking !== null && <RevokeDialog scope={revoking} onClose={() => setRevoking(null)} />}
    </Stack>
  );
}
