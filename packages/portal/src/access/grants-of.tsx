import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '../api/client.js';
import type { components } from '../api/schema.js';
import { QueryView } from '../components/query-view.js';
import { Section } from '../components/section.js';
import { LoadingRows } from '../components/states.js';
import { WorkspacePicker } from '../components/workspace-picker.js';
import { GrantDialog } from './grant-dialog.js';
import { GrantsTable } from './grants-table.js';
import { RemoveGrant } from './remove-grant.js';

export type Grant = components['schemas']['GrantDto'];

/** A person or a service account. */
export interface Holder {
  id: string;
  name: string;
  role: 'admin' | 'member';
}

interface GiveProps {
  holder: Holder;
  workspaceId?: string;
  onClose: () => void;
}

export function GiveWorkspace({ holder, workspaceId: suggested, onClose }: GiveProps) {
  const [workspaceId, setWorkspaceId] = useState(suggested ?? null);
  return (
    <GrantDialog
      title={`Give ${holder.name} a workspace`}
      place={{ userId: holder.id, workspaceId: workspaceId ?? undefined }}
      onClose={onClose}
    >
      <WorkspacePicker label="Workspace" required value={workspaceId} onChange={setWorkspaceId} />
    </GrantDialog>
  );
}

type Doing = { what: 'give' } | { what: 'change' | 'remove'; grant: Grant };

function Dialogs({ holder, doing, onClose }: { holder: Holder; doing?: Doing; onClose: () => void }) {
  if (doing === undefined) return null;
  if (doing.what === 'give') return <GiveWorkspace holder={holder} onClose={onClose} />;
  const { workspace_id: workspaceId, workspace_name: workspace } = doing.grant;
  const place = { userId: holder.id, workspaceId };
  if (doing.what === 'change') {
    return (
      <GrantDialog
        title={`${holder.name} in ${workspace}`}
        place={place}
        grant={doing.grant}
        onClose={onClose}
      />
    );
  }
  return <RemoveGrant place={place} person={holder.name} workspace={workspace} onClose={onClose} />;
}

/** What somebody was granted, for admins. */
export function GrantsOf({ holder }: { holder: Holder }) {
  const [doing, setDoing] = useState<Doing>();
  const query = useQuery({
    queryKey: ['users', 'grants', holder.id],
    queryFn: ({ signal }) =>
      read(api.GET('/api/users/{id}/grants', { params: { path: { id: holder.id } }, signal })),
  });
  return (
    <Section
      title="Workspaces"
      lead={holder.role === 'admin' ? 'An admin sees every workspace, whatever is granted here.' : undefined}
    >
      <QueryView query={query} loading={<LoadingRows rows={3} />}>
        {({ grants }) =>
          grants.length === 0 ? (
            <Text size="sm" c="dimmed">
              No workspace was granted.
            </Text>
          ) : (
            <GrantsTable
              grants={grants}
              onChange={(grant) => setDoing({ what: 'change', grant })}
              onRemove={(grant) => setDoing({ what: 'remove', grant })}
            />
          )
        }
      </QueryView>
      <Group>
        <Button variant="default" onClick={() => setDoing({ what: 'give' })}>
          Give a workspace
        </Button>
      </Group>
      <Dialogs holder={holder} doing={doing} onClose={() => setDoing(undefined)} />
    </Section>
  );
}
