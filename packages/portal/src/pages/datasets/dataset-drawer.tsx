import { Alert, Anchor, Divider, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import { Trans } from 'react-i18next';
import { api, read } from '../../api/client.js';
import { workspaces } from '../../api/workspace-source.js';
import { NameOf } from '../../components/name-of.js';
import { QueryView } from '../../components/query-view.js';
import { SidePanel } from '../../components/side-panel.js';
import { type Dataset, explanationOf } from './dataset-texts.js';
import { PolicyForm } from './policy-form.js';
import { PolicyPreview } from './policy-preview.js';

function Editor({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const [dirty, setDirty] = useState(false);
  const [edited, setEdited] = useState(dataset.identity_policy);
  const isChanged = JSON.stringify(edited) !== JSON.stringify(dataset.identity_policy);
  // A form with unsaved changes keeps them when another admin changes the policy.
  if (isChanged && !dirty) setEdited(dataset.identity_policy);
  return (
    <Stack>
      <div>
        <Text fw={600}>{dataset.name}</Text>
        <Text size="sm">
          <Trans
            i18nKey="Workspace: <workspace/>"
            components={{
              workspace: (
                <Anchor component={Link} to={`/workspaces/${dataset.workspace_id}`} inherit>
                  <NameOf source={workspaces} id={dataset.workspace_id} />
                </Anchor>
              ),
            }}
          />
        </Text>
      </div>
      <Text size="sm">{explanationOf(dataset)}</Text>
      {isChanged && dirty && (
        <Alert color="yellow">
          {t('The policy was changed by someone else in the meantime. If you save, yours replaces it.')}
        </Alert>
      )}
      <PolicyForm key={JSON.stringify(edited)} dataset={dataset} onDirty={setDirty} onClose={onClose} />
      <Divider />
      <PolicyPreview dataset={dataset} dirty={dirty} />
    </Stack>
  );
}

/** The row-level security of one dataset. */
export function DatasetDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const dataset = useQuery({
    queryKey: ['datasets', 'one', id],
    queryFn: ({ signal }) => read(api.GET('/api/datasets/{id}', { params: { path: { id } }, signal })),
  });
  return (
    <SidePanel title={t('Row-level security')} onClose={onClose}>
      <QueryView query={dataset}>{(data) => <Editor dataset={data} onClose={onClose} />}</QueryView>
    </SidePanel>
  );
}
