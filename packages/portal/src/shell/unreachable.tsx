import { Center, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { ProblemAlert } from '../components/states.js';
import { session } from '../session/session.js';

/** Seconds between tries. */
const WAITS = [2, 4, 8, 15];
const LONGEST = 30;

const retry = (): void => void session.renew().catch(() => undefined);

/** While nobody can say whether somebody is signed in: why, and tries until there is an answer. */
export function Unreachable() {
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
        <ProblemAlert error={problem} onRetry={retry} />
        <Text size="sm" ta="center">
          Vitrine tries again by itself.
        </Text>
      </Stack>
    </Center>
  );
}
