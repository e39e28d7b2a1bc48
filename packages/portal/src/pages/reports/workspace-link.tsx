import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { workspaces } from '../../api/workspace-source.js';
import { useNamed } from '../../components/name-of.js';

export const WorkspaceLink = ({ id }: { id: string }) => (
  <Anchor component={Link} to={`/workspaces/${id}`} size="sm" display="inline-block">
    {useNamed(workspaces, id).choice?.name ?? '…'}
  </Anchor>
);
