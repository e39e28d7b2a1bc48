import { Badge, Group, List, Text } from '@mantine/core';
import { t } from 'i18next';
import { Trans } from 'react-i18next';
import { workspaces } from '../api/workspace-source.js';
import { NameOf } from '../components/name-of.js';
import { Time } from '../components/time.js';
import type { Explanation } from './explanation-texts.js';
import { GrantSource } from './grant-source.js';
import { roleName } from './roles.js';

type Path = Explanation['paths'][number];

function Target({ path: { role, report_id, workspace_id } }: { path: Path }) {
  const values = { role: roleName(role) };
  const components = { workspace: <NameOf source={workspaces} id={workspace_id} /> };
  return report_id === null ? (
    <Trans i18nKey="{{role}} on the workspace <workspace/>" {...{ values, components }} />
  ) : (
    <Trans i18nKey="{{role}} on this report in <workspace/>" {...{ values, components }} />
  );
}

const sourceOf = ({ groups }: Path): string =>
  groups.length === 0
    ? t('Granted directly')
    : t('Through {{groups}}', { groups: groups.map(({ name }) => name).join(' › ') });

const PathItem = ({ path }: { path: Path }) => (
  <List.Item>
    <Group gap="xs">
      <Text size="sm">
        <Target path={path} /> · {sourceOf(path)}
      </Text>
      <GrantSource source={path.source} />
      {path.decides && (
        <Badge variant="light" tt="none">
          {t('In effect')}
        </Badge>
      )}
      {path.expires_at !== null && (
        <Text size="sm" c="dimmed" span>
          {path.expired ? (
            <Trans i18nKey="Expired <time/>" components={{ time: <Time at={path.expires_at} /> }} />
          ) : (
            <Trans i18nKey="Expires <time/>" components={{ time: <Time at={path.expires_at} /> }} />
          )}
        </Text>
      )}
    </Group>
  </List.Item>
);

/** Every grant that applies, with the groups in between; the deciding one first. */
export const AccessPaths = ({ paths }: { paths: Path[] }) => (
  <List size="sm" spacing="xs" aria-label={t('Grants')}>
    {paths.map((path, index) => (
      <PathItem key={index} path={path} />
    ))}
  </List>
);
