import { Badge, Group, List, Text } from '@mantine/core';
import { workspaces } from '../api/sources.js';
import { NameOf } from '../components/name-of.js';
import { Time } from '../components/time.js';
import type { Explanation } from './explanation-words.js';
import { GrantSource } from './grant-source.js';
import { roleName } from './roles.js';

type Path = Explanation['paths'][number];

const Target = ({ path: { report_id, workspace_id } }: { path: Path }) => (
  <>
    {report_id === null ? 'the workspace ' : 'this report in '}
    <NameOf source={workspaces} id={workspace_id} />
  </>
);

const PathItem = ({ path }: { path: Path }) => (
  <List.Item>
    <Group gap="xs">
      <Text size="sm">
        {roleName(path.role)} on <Target path={path} />,{' '}
        {path.groups.length === 0
          ? 'granted directly'
          : `through ${path.groups.map(({ name }) => name).join(' › ')}`}
      </Text>
      <GrantSource source={path.source} />
      {path.decides && (
        <Badge variant="light" tt="none">
          Decides
        </Badge>
      )}
      {path.expires_at !== null && (
        <Text size="sm" c="dimmed" span>
          {path.expired ? 'expired' : 'expires'} <Time at={path.expires_at} />
        </Text>
      )}
    </Group>
  </List.Item>
);

/** Every grant that applies, with the groups in between; the deciding one first. */
export const AccessPaths = ({ paths }: { paths: Path[] }) => (
  <List size="sm" spacing="xs" aria-label="Grants that apply">
    {paths.map((path, index) => (
      <PathItem key={index} path={path} />
    ))}
  </List>
);
