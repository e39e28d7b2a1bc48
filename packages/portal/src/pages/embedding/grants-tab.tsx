import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from 'i18next';
import { msg } from '../../i18n/index.js';
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
  { value: 'true', label: msg('Active') },
  { value: 'false', label: msg('Expired') },
];

const activeOf = (value: string | null): boolean | undefined =>
  value === 'true' ? true : value === 'false' ? false : undefined;

/** Issued embed tokens and their users. */
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
      <Text size="sm">{t('Each embed token opens one report for one user until it expires.')}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <UserPicker label={t('User')} placeholder={t('All')} value={user} onChange={setUser} programs />
        <ReportPicker label={t('Report')} placeholder={t('All')} value={report} onChange={setReport} />
        <WorkspacePicker
          label={t('Workspace')}
          placeholder={t('All')}
          value={workspace}
          onChange={setWorkspace}
        />
        <Select
          label={t('Status')}
          placeholder={t('All')}
          data={states.map(({ value, label }) => ({ value, label: t(label) }))}
          value={activeOf(active) === undefined ? null : active}
          onChange={setActive}
          clearable
          clearButtonProps={{ 'aria-label': t('Clear status') }}
        />
      </SimpleGrid>
      {isFiltered && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconBan size={16} aria-hidden />}
            onClick={() => setRevoking({ user, report, workspace })}
          >
            {t('Block embedding…')}
          </Button>
        </Group>
      )}
      <ListView
        list={list}
        empty={
          isFiltered ? (
            <Empty title={t('No tokens match your filters')} />
          ) : (
            <Empty title={t('No embed tokens yet')}>
              {t('A token is issued when a user opens a report.')}
            </Empty>
          )
        }
      >
        {(grants) => <GrantTable grants={grants} />}
      </ListView>
      {revoking !== null && <RevokeDialog scope={revoking} onClose={() => setRevoking(null)} />}
    </Stack>
  );
}
