import { Badge, Tooltip } from '@mantine/core';

const sources = {
  manual: { label: 'by hand', says: 'Given by an admin or a manager' },
  provider: {
    label: 'by a rule',
    says: 'Comes from the identity provider and changes only there',
  },
};

export const GrantSource = ({ source }: { source: keyof typeof sources }) => (
  <Tooltip label={sources[source].says}>
    <Badge variant="default" fw={500}>
      {sources[source].label}
    </Badge>
  </Tooltip>
);
