import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { msg } from '../../i18n/index.js';

type Unresolved = components['schemas']['UnresolvedReferenceDto'];

const sentences: Record<Unresolved['kind'], Record<Unresolved['reason'], string>> = {
  workspace: {
    missing: msg("Rule {{rule}} ({{title}}) names the workspace “{{name}}”, which doesn't exist."),
    ambiguous: msg('Rule {{rule}} ({{title}}) names the workspace “{{name}}”, a name of several workspaces.'),
    retired: msg(
      'Rule {{rule}} ({{title}}) names the workspace “{{name}}”, which no longer exists in Power BI.',
    ),
  },
  report: {
    missing: msg("Rule {{rule}} ({{title}}) names the report “{{name}}”, which doesn't exist."),
    ambiguous: msg('Rule {{rule}} ({{title}}) names the report “{{name}}”, a name of several reports.'),
    retired: msg(
      'Rule {{rule}} ({{title}}) names the report “{{name}}”, which no longer exists in Power BI.',
    ),
  },
  group: {
    missing: msg("Rule {{rule}} ({{title}}) names the group “{{name}}”, which doesn't exist."),
    ambiguous: msg('Rule {{rule}} ({{title}}) names the group “{{name}}”, a name of several groups.'),
    // A group is deleted, never retired.
    retired: msg("Rule {{rule}} ({{title}}) names the group “{{name}}”, which doesn't exist."),
  },
};

const sentenceOf = ({ kind, reason, rule, rule_name, reference }: Unresolved): string =>
  t(sentences[kind][reason], { rule, title: rule_name, name: reference });

/** What the sign-in rules name and cannot be found. For admins. */
export function SignInRules() {
  const { data } = useQuery({
    queryKey: ['settings', 'sign-in-rules'],
    queryFn: ({ signal }) => read(api.GET('/api/settings/sign-in-rules', { signal })),
  });
  if (data === undefined || data.unresolved.length === 0) return null;
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('Sign-in rules name what cannot be found')}
      maw={860}
    >
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {data.unresolved.map((each) => (
          <List.Item key={`${each.rule} ${each.kind} ${each.reference}`}>{sentenceOf(each)}</List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        {t(
          'Until then they add and remove nothing. Correct the names or use ids in OIDC_RULES, or create what is missing.',
        )}
      </Text>
    </Alert>
  );
}
