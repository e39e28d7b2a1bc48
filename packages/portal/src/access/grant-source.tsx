import { Badge, Text, Tooltip } from '@mantine/core';

const sources = {
  manual: { label: 'Manual', description: 'Granted by an admin or a manager' },
  provider: { label: 'SSO rule', description: 'Managed by a sign-in rule of your identity provider' },
  scim: { label: 'SCIM', description: 'Managed by your identity provider' },
};

interface Props {
  source: keyof typeof sources;
}

export const GrantSource = ({ source }: Props) => (
  <Tooltip label={sources[source].description}>
    <Badge variant="default" fw={500} tt="none">
      {sources[source].label}
    </Badge>
  </Tooltip>
);

/** The groups from the one that holds the grant to the one that contains the person. */
export const Through = ({ path }: { path: readonly string[] }) =>
  path.length === 0 ? (
    <Text span size="sm" c="dimmed">
      Direct
    </Text>
  ) : (
    <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
      {path.join(' › ')}
    </Text>
  );
