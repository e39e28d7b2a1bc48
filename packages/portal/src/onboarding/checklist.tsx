import { Anchor, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { t } from 'i18next';
import { useId } from 'react';
import { Link } from 'react-router';
import { translatedSentence } from '../api/sentences.js';
import type { OnboardingState } from './use-onboarding.js';

type Item = OnboardingState['items'][number];

interface Step {
  title: string;
  action: string;
  to: string;
}

const stepOf = (code: Item['code']): Step =>
  ({
    power_bi: { title: t('Connect to Power BI'), action: t('System status'), to: '/health' },
    first_sync: { title: t('Sync the catalogue'), action: t('Syncs'), to: '/syncs' },
    mail: { title: t('Send emails'), action: t('System status'), to: '/health' },
    first_invitation: { title: t('Invite the first user'), action: t('Invitations'), to: '/invitations' },
    identity_policies: {
      title: t('Set identity policies for row-level security'),
      action: t('Datasets'),
      to: '/datasets',
    },
    branding: {
      title: t('Add your name, colours and logo'),
      action: t('Branding'),
      to: '/settings/branding',
    },
  })[code];

const Mark = ({ done }: { done: boolean }) =>
  done ? (
    <IconCircleCheck
      size={20}
      color="var(--mantine-color-green-light-color)"
      role="img"
      aria-label={t('Completed')}
    />
  ) : (
    <IconCircle size={20} color="var(--mantine-color-dimmed)" role="img" aria-label={t('To do')} />
  );

function Entry({ code, done, detail }: Item) {
  const { title, action, to } = stepOf(code);
  return (
    <List.Item icon={<Mark done={done} />}>
      <Group gap="sm" justify="space-between" wrap="nowrap" align="flex-start">
        <div className="onboarding-step">
          <Text size="sm" fw={500} c={done ? 'dimmed' : undefined}>
            {title}
          </Text>
          {detail !== undefined && (
            <Text size="xs" c="dimmed">
              {translatedSentence(detail)}
            </Text>
          )}
        </div>
        {!done && (
          <Anchor component={Link} to={to} size="sm" className="onboarding-link">
            {action}
          </Anchor>
        )}
      </Group>
    </List.Item>
  );
}

interface Props {
  items: readonly Item[];
  dismissing: boolean;
  onDismiss: () => void;
}

/** Steps of a new installation. What is missing comes from the service. */
export function Checklist({ items, dismissing, onDismiss }: Props) {
  const id = useId();
  const done = items.filter((item) => item.done).length;
  return (
    <Paper component="section" aria-labelledby={id} withBorder p={{ base: 'md', sm: 'lg' }}>
      <Stack>
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} size="h4" id={id}>
              {t('Get started')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('{{done}} of {{all}} steps done', { done, all: items.length })}
            </Text>
          </div>
          <Button variant="default" size="xs" loading={dismissing} onClick={onDismiss}>
            {t('Dismiss')}
          </Button>
        </Group>
        <List
          spacing="sm"
          center={false}
          listStyleType="none"
          classNames={{ itemWrapper: 'onboarding-item' }}
        >
          {items.map((item) => (
            <Entry key={item.code} {...item} />
          ))}
        </List>
      </Stack>
    </Paper>
  );
}
