import { Avatar, Text, VisuallyHidden, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import {
  IconActivityHeartbeat,
  IconFlag,
  IconHelp,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
  IconUserQuestion,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useBranding } from '../branding/branding.js';
import { notifyProblem } from '../components/notify.js';
import { MenuContent, menuItem, SmallMenu } from '../components/small-menu.js';
import { session } from '../session/session.js';
import { ReportProblem } from '../support/report-problem.js';
import type { Me } from '../session/use-session.js';

export function UserMenu({ me }: { me: Me | undefined }) {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const { supportUrl } = useBranding();
  const [isReporting, setReporting] = useState(false);
  const signOut = useMutation({ mutationFn: () => session.signOut(), onError: notifyProblem });
  return (
    <>
      <SmallMenu
        label={t('Your account')}
        button={(props) => (
          <button {...props} type="button" className="user-menu-button mantine-focus-auto">
            <Avatar name={me?.name} color="blue" variant="filled" radius="xl" aria-hidden />
            <VisuallyHidden>{t('Your account')}</VisuallyHidden>
          </button>
        )}
      >
        {me !== undefined && (
          <Text size="xs" px="sm" py={6} style={{ overflowWrap: 'anywhere' }}>
            {me.name}
            <br />
            {me.email}
          </Text>
        )}
        <Link {...menuItem} to="/account">
          <MenuContent icon={IconUserCircle} text={t('Account')} />
        </Link>
        <Link {...menuItem} to="/access-requests">
          <MenuContent icon={IconUserQuestion} text={t('Your access requests')} />
        </Link>
        <Link {...menuItem} to="/health">
          <MenuContent icon={IconActivityHeartbeat} text={t('System status')} />
        </Link>
        {supportUrl !== null && (
          <a {...menuItem} href={supportUrl} target="_blank" rel="noopener noreferrer">
            <MenuContent icon={IconHelp} text={t('Get support')} />
          </a>
        )}
        <button {...menuItem} type="button" onClick={() => setReporting(true)}>
          <MenuContent icon={IconFlag} text={t('Report a problem')} />
        </button>
        <button {...menuItem} type="button" onClick={() => setColorScheme(isDark ? 'light' : 'dark')}>
          <MenuContent
            icon={isDark ? IconSun : IconMoon}
            text={isDark ? t('Light theme') : t('Dark theme')}
          />
        </button>
        <button {...menuItem} type="button" onClick={() => signOut.mutate()}>
          <MenuContent icon={IconLogout} text={t('Sign out')} />
        </button>
      </SmallMenu>
      <ReportProblem opened={isReporting} onClose={() => setReporting(false)} />
    </>
  );
}
