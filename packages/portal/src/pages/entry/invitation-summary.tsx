import { List, Stack, Text } from '@mantine/core';
import { Trans } from 'react-i18next';
import { t } from 'i18next';
import { roleName } from '../../access/roles.js';
import { useBranding } from '../../branding/branding.js';
import { exactly } from '../../components/time.js';
import type { InvitationPreview } from './use-preview.js';

const wrapped = { overflowWrap: 'anywhere' } as const;

function Invited({ by }: { by: string | null }) {
  const { productName: product } = useBranding();
  return (
    <Text style={wrapped}>
      {by === null ? (
        <Trans
          i18nKey="You were invited to <b>{{product}}</b>."
          values={{ product }}
          components={{ b: <b /> }}
        />
      ) : (
        <Trans
          i18nKey="<b>{{inviter}}</b> invited you to <b>{{product}}</b>."
          values={{ inviter: by, product }}
          components={{ b: <b /> }}
        />
      )}
    </Text>
  );
}

function Targets({ invitation: { role, workspaces, reports } }: { invitation: InvitationPreview }) {
  if (role === 'admin')
    return <Text>{t('You will be an administrator, with access to all workspaces and settings.')}</Text>;
  const targets = [
    ...workspaces.map((each) => t('{{name}} ({{role}})', { name: each.name, role: roleName(each.role) })),
    ...reports.map((each) =>
      t('{{name}} ({{role}}, report)', { name: each.name, role: roleName(each.role) }),
    ),
  ];
  if (targets.length === 0) return null;
  return (
    <div>
      <Text>{t('You will have access to:')}</Text>
      <List style={wrapped}>
        {targets.map((target, index) => (
          // Names are not unique.
          <List.Item key={`${index} ${target}`}>{target}</List.Item>
        ))}
      </List>
    </div>
  );
}

/** Who invites, to what, and which address. */
export const InvitationSummary = ({ invitation }: { invitation: InvitationPreview }) => (
  <Stack gap="xs">
    <Invited by={invitation.invited_by_name} />
    <Targets invitation={invitation} />
    <Text style={wrapped}>
      <Trans
        i18nKey="Your account will use the email address <b>{{email}}</b>."
        values={{ email: invitation.email }}
        components={{ b: <b /> }}
      />
    </Text>
    <Text size="sm" c="dimmed">
      {t('This invitation expires on {{time}}.', { time: exactly(invitation.expires_at) })}
    </Text>
  </Stack>
);
