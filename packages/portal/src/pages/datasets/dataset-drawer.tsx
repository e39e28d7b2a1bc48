import { Anchor, Divider, Drawer, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { Link } from 'react-router';
import { api, read } from '../../api/client.js';
import { workspaces } from '../../api/sources.js';
import { NameOf } from '../../components/name-of.js';
import { QueryView } from '../../components/query-view.js';
import { explanationOf } from './dataset-words.js';
import { PolicyForm } from './policy-form.js';
import { PolicyPreview } from './policy-preview.js';

type EditorProps = Pick<ComponentProps<typeof PolicyForm>, 'dataset' | 'asks' | 'onAsk'>;

function Editor({ dataset, asks, onAsk }: EditorProps) {
  const [dirty, setDirty] = useState(false);
  return (
    <Stack>
      <div>
        <Text fw={600}>{dataset.name}</Text>
        <Text size="sm">
          in{' '}
          <Anchor component={Link} to={`/workspaces/${dataset.workspace_id}`} inherit>
            <NameOf source={workspaces} id={dataset.workspace_id} />
          </Anchor>
        </Text>
      </div>
      <Text size="sm">{explanationOf(dataset)}</Text>
      {/* Another policy is another form: one that was removed leaves nothing in the fields. */}
      <PolicyForm
        key={JSON.stringify(dataset.identity_policy)}
        dataset={dataset}
        onDirty={setDirty}
        asks={asks}
        onAsk={onAsk}
      />
      <Divider />
      <PolicyPreview dataset={dataset} dirty={dirty} />
    </Stack>
  );
}

/** Who viewers are inside the data of one dataset. */
export function DatasetDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const dataset = useQuery({
    queryKey: ['datasets', 'one', id],
    queryFn: ({ signal }) => read(api.GET('/api/datasets/{id}', { params: { path: { id } }, signal })),
  });
  const [asks, setAsks] = useState(false);
  return (
    <Drawer
      opened
      onClose={onClose}
      // Escape answers the question first.
      closeOnEscape={!asks}
      position="right"
      size="lg"
      title="Identity policy"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <QueryView query={dataset}>{(data) => <Editor dataset={data} asks={asks} onAsk={setAsks} />}</QueryView>
    </Drawer>
  );
}
