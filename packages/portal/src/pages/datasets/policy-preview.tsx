import { Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { CheckItems } from '../../components/check-items.js';
import { LoadingRows } from '../../components/states.js';
import { QueryView } from '../../components/query-view.js';
import { UserPicker } from '../../components/user-picker.js';
import type { Dataset } from './dataset-texts.js';

/** The checks that depend on the policy. */
const decisive = new Set(['identity', 'embed_token']);

/** A policy can only be tested with a report; most are in the workspace of their dataset. */
const useReportsOn = ({ id, workspace_id, pbi_dataset_id }: Dataset) =>
  useQuery({
    queryKey: ['reports', 'on-dataset', id],
    queryFn: async ({ signal }) => {
      const query = { workspace_id, limit: 1000, sort: 'name' } as const;
      const { reports } = await read(api.GET('/api/reports', { params: { query }, signal }));
      return reports.filter((report) => report.pbi_dataset_id === pbi_dataset_id);
    },
  });

function Outcome({ report, user, dataset }: { report: string; user: string; dataset: Dataset }) {
  const check = useQuery({
    queryKey: ['embed-check', report, user, dataset.identity_policy],
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/reports/{id}/embed-check', {
          params: { path: { id: report }, query: { user_id: user } },
          signal,
        }),
      ),
    gcTime: 0,
  });
  return (
    <QueryView query={check} loading={<LoadingRows rows={2} />}>
      {({ checks }) => <CheckItems items={checks.filter(({ name }) => decisive.has(name))} />}
    </QueryView>
  );
}

interface Props {
  dataset: Dataset;
  /** Whether the form has unsaved changes. */
  dirty: boolean;
}

/** Tests the saved policy with a user against Power BI. */
export function PolicyPreview({ dataset, dirty }: Props) {
  const reports = useReportsOn(dataset);
  const [user, setUser] = useState<string | null>(null);
  const [selected, setSelected] = useState<string | null>(null);
  const report = selected ?? reports.data?.[0]?.id;
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        {t('Test policy')}
      </Title>
      <QueryView query={reports} loading={<LoadingRows rows={1} />}>
        {(found) =>
          found.length === 0 ? (
            <Text size="sm">
              {t("No report in this workspace uses the dataset, so the policy can't be tested.")}
            </Text>
          ) : (
            <>
              <UserPicker label={t('User')} value={user} onChange={setUser} programs />
              {found.length > 1 && (
                <Select
                  label={t('Report')}
                  data={found.map(({ id, name }) => ({ value: id, label: name }))}
                  value={report ?? null}
                  onChange={setSelected}
                  allowDeselect={false}
                />
              )}
            </>
          )
        }
      </QueryView>
      {dirty && <Text size="sm">{t('You have unsaved changes. The test uses the saved policy.')}</Text>}
      {user !== null && report !== undefined && <Outcome report={report} user={user} dataset={dataset} />}
    </Stack>
  );
}
