import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, read } from '../../api/client.js';
import { useWorkspace } from '../../api/use-workspace.js';

/** As many as a response contains: one call names all workspaces of an ordinary deployment. */
const ALL = 1000;
const KEPT_MS = 5 * 60_000;

function useWorkspaceName(id: string): string {
  const all = useQuery({
    queryKey: ['workspaces', 'names'],
    queryFn: async ({ signal }) => {
      const query = { limit: ALL, sort: 'name' } as const;
      const { workspaces } = await read(api.GET('/api/workspaces', { params: { query }, signal }));
      return new Map(workspaces.map((workspace) => [workspace.id, workspace.name]));
    },
    staleTime: KEPT_MS,
  });
  const name = all.data?.get(id);
  const one = useWorkspace(id, name === undefined && !all.isPending);
  return name ?? one.data?.name ?? '…';
}

export const WorkspaceLink = ({ id }: { id: string }) => (
  <Anchor component={Link} to={`/workspaces/${id}`} size="sm" display="inline-block">
    {useWorkspaceName(id)}
  </Anchor>
);
