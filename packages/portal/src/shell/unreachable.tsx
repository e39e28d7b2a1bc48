import { Center, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemAlert } from '../components/states.js';
import { session } from '../session/session.js';

/** Seconds between tries. */
const WAITS = [2, 4, 8, 15];
const LONGEST = 30;

const retry = (): void => void session.renew().catch(() => undefined);

/** While it is unknown whether the user is signed in: why, with retries until the service responds. */
export function Unreachable() {
  const { t } = useTranslation();
  const problem = useSyncExternalStore(session.subscribe, () => session.problem);
  const tries = useRef(0);
  useEffect(() => {
    const wait = problem?.secondsLeft ?? WAITS[tries.current] ?? LONGEST;
    tries.current += 1;
    const timer = setTimeout(retry, Math.max(wait, 1) * 1000);
    addEventListener('online', retry);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', retry);
    };
  }, [problem]);
  return (
    <Center mih="60vh" p="md">
      <Stack maw={480}>
        <Title order={1} size="h3" ta="center">
          {t('The service is unavailable')}
        </Title>
        <ProblemAlert error={problem} onRetry={retry} />
        <Text size="sm" ta="center">
          {t('Retrying automatically.')}
        </Text>
      </Stack>
    </Center>
  );
}
