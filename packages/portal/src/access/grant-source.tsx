import { Badge, Tooltip } from '@mantine/core';

const sources = {
  manual: { label: 'by hand', says: 'Given by an admin or a manager' },
  provider: { label: 'by a rule', says: 'Comes from the identity provider and changes only there' },
  scim: { label: 'by SCIM', says: 'Comes from the identity provider and changes only there' },
};

interface Props {
  source: keyof typeof sources;
  /** Names of the groups from the one that holds the grant to the one with the person. */
  path?: readonly string[];
}

export const GrantSource = ({ source, path = [] }: Props) => (
  <Tooltip label={path.length > 0 ? `Through the groups ${path.join(' › ')}` : sources[source].says}>
    <Badge variant="default" fw={500} tt={path.length > 0 ? 'none' : undefined}>
      {path.length > 0 ? path[0] : sources[source].label}
    </Badge>
  </Tooltip>
);
