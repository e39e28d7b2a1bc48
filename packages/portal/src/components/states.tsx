import { Alert, Button, Center, Group, Loader, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from 'i18next';
import { ProblemError } from '../api/problem.js';
import { textsOf } from '../api/problem-texts.js';
import { ReportProblemButton } from '../support/report-problem.js';
import { useIsAdmin } from '../session/use-session.js';

/** A page that loads. */
export const Loading = () => (
  <Center h="60vh" role="status" aria-label={t('Loading')}>
    <Loader />
  </Center>
);

export const LoadingRows = ({ rows = 6 }: { rows?: number }) => (
  <Stack gap="xs" role="status" aria-label={t('Loading')}>
    {Array.from({ length: rows }, (_, row) => (
      <Skeleton key={row} height={36} />
    ))}
  </Stack>
);

interface EmptyProps {
  title: string;
  /** Level of its heading: 3 inside a section. */
  order?: 2 | 3;
  /** What to do about it. */
  children?: ReactNode;
}

export const Empty = ({ title, order = 2, children }: EmptyProps) => (
  <Stack align="center" gap="xs" py={48} ta="center">
    <Title order={order} size="h4">
      {title}
    </Title>
    {children !== undefined && (
      <Text component="div" c="dimmed" maw={480}>
        {children}
      </Text>
    )}
  </Stack>
);

interface FailureProps {
  title: string;
  text: string;
  /** When a retry is possible, counted down. */
  wait?: string;
  /** Whether a retry is possible now. */
  canRetry?: boolean;
  /** The code and request id, for administrators. */
  code: string;
  onRetry?: () => void;
  /** Other remedies. */
  actions?: ReactNode;
}

/** What failed, and what to do. */
export const FailureAlert = ({
  title,
  text,
  wait,
  canRetry = true,
  code,
  onRetry,
  actions,
}: FailureProps) => (
  <Alert color="red" variant="light" title={title} icon={<IconAlertCircle aria-hidden />} role="alert">
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {text} {wait !== undefined && <span role="timer">{wait}</span>}
      </Text>
      <Group gap="sm">
        {onRetry !== undefined && (
          <Button size="compact-sm" variant="default" disabled={!canRetry} onClick={onRetry}>
            {t('Try again')}
          </Button>
        )}
        {actions}
        <Text size="xs" ff="monospace">
          {code}
        </Text>
      </Group>
    </Stack>
  </Alert>
);

/** Renders once a second. */
function useTicking(isOn: boolean): void {
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), 1000);
    return () => clearInterval(timer);
  }, [isOn]);
}

interface ProblemProps {
  error: unknown;
  onRetry?: () => void;
  actions?: ReactNode;
}

/** A failed request, with the code and request id for administrators. */
export function ProblemAlert({ error, actions, ...rest }: ProblemProps) {
  useTicking(error instanceof ProblemError && error.retryAfter !== undefined);
  const isAdmin = useIsAdmin();
  if (!(error instanceof ProblemError)) throw error;
  const canReport = error.status >= 500 && error.retryAfter === undefined;
  const code = [error.code, error.requestId].filter((part) => part !== undefined).join(' · ');
  return (
    <FailureAlert
      {...textsOf(error, { isAdmin })}
      code={code}
      {...rest}
      actions={
        <>
          {actions}
          {canReport && <ReportProblemButton />}
        </>
      }
    />
  );
}
