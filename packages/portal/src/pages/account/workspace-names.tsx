import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';

/** Names by id, one page of them; further names are requested individually. */
export const useWorkspaceNames = () =>
  useQuery({
    queryKey: ['workspaces', 'names'],
    queryFn: async ({ signal }) => {
      const query = { limit: 1000, sort: 'name' } as const;
      const { workspaces } = await read(api.GET('/api/workspaces', { params: { query }, signal }));
      return new Map(workspaces.map(({ id, name }) => [id, name]));
    },
  });

export function WorkspaceName({ id, name }: { id: string; name: string | undefined }) {
  const one = useQuery({
    queryKey: ['workspaces', id],
    queryFn: ({ signal }) => read(api.GET('/api/workspaces/{id}', { params: { path: { id } }, signal })),
    enabled: name === undefined,
  });
  return (
    <Anchor component={Link} to={`/workspaces/${id}`}>
      {name ?? one.data?.name ?? t('Workspace')}
    </Anchor>
  );
}
