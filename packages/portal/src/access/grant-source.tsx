import { Badge, Text, Tooltip } from '@mantine/core';
import { t } from 'i18next';
import { msg } from '../i18n/index.js';

const sources = {
  manual: { label: msg('Manual'), description: msg('Granted by an administrator or a manager') },
  provider: {
    label: msg('SSO rule'),
    description: msg('Managed by a sign-in rule of your identity provider'),
  },
  scim: { label: msg('SCIM'), description: msg('Managed by your identity provider') },
};

interface Props {
  source: keyof typeof sources;
}

export const GrantSource = ({ source }: Props) => (
  <Tooltip label={t(sources[source].description)}>
    <Badge variant="default" fw={500} tt="none">
      {t(sources[source].label)}
    </Badge>
  </Tooltip>
);

/** The groups from the one that holds the grant to the one that contains the person. */
export const Through = ({ path }: { path: readonly string[] }) =>
  path.length === 0 ? (
    <Text span size="sm" c="dimmed">
      {t('Direct')}
    </Text>
  ) : (
    <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
      {path.join(' › ')}
    </Text>
  );
