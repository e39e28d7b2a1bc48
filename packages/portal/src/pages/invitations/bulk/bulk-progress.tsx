import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { Link, useBlocker } from 'react-router';
import { Confirm } from '../../../components/confirm.js';
import { exactTime } from '../../../components/time.js';
import { useInvitationsChanged } from '../use-invitations.js';
import { BulkLines } from './bulk-lines.js';
import type { BulkRun, BulkState } from './bulk-run.js';
import { isDone, summaryOf } from './counts.js';
import { CopyLinks } from './copy-links.js';

interface Props {
  run: BulkRun;
  onAnother: () => void;
}

const isAtWork = ({ phase }: BulkState): boolean => phase === 'running' || phase === 'pausing';

/** Runs as long as it is looked at; whoever leaves is asked first. */
function useRun(run: BulkRun): BulkState {
  const state = useSyncExternalStore(run.subscribe, run.snapshot);
  const changed = useInvitationsChanged();
  useEffect(() => {
    void run.start();
    return () => run.stop();
  }, [run]);
  useEffect(() => {
    if (state.phase === 'finished' || state.phase === 'stopped') void changed();
  }, [state.phase, changed]);
  useEffect(() => {
    if (!isAtWork(state)) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [state]);
  return state;
}

const Waiting = ({ state: { phase, because, resumesAt } }: { state: BulkState }) => {
  if (because === undefined) return null;
  const title = phase === 'pausing' ? 'The service asks to wait' : 'Stopped';
  return (
    <Alert color="orange" variant="light" title={title} role="status">
      {because}
      {phase === 'pausing' &&
        resumesAt !== undefined &&
        ` It goes on by itself at ${exactTime(new Date(resumesAt).toISOString())}.`}
    </Alert>
  );
};

const Controls = ({ run, state, onAnother }: Props & { state: BulkState }) => {
  const failed = state.lines.filter((line) => line.state === 'failed').length;
  return (
    <Group>
      {isAtWork(state) && (
        <Button variant="default" onClick={() => run.stop()}>
          Stop
        </Button>
      )}
      {state.phase === 'stopped' && <Button onClick={() => void run.start()}>Go on</Button>}
      {!isAtWork(state) && failed > 0 && (
        <Button onClick={() => void run.retryFailed()}>Try the failed ones again</Button>
      )}
      {!isAtWork(state) && (
        <>
          <Button component={Link} to="/invitations" variant="default">
            To the invitations
          </Button>
          <Button variant="default" onClick={onAnother}>
            Another list
          </Button>
        </>
      )}
    </Group>
  );
};

export function BulkProgress({ run, onAnother }: Props) {
  const state = useRun(run);
  const leaving = useBlocker(isAtWork(state));
  const done = state.lines.filter(isDone).length;
  return (
    <Stack>
      <Progress
        value={(100 * done) / state.lines.length}
        aria-label="People invited"
        animated={state.phase === 'running'}
      />
      <Text role="status">
        {state.phase === 'finished' ? 'Done: ' : `${done} of ${state.lines.length}: `}
        {summaryOf(state.lines)}
      </Text>
      <Waiting state={state} />
      <Controls run={run} state={state} onAnother={onAnother} />
      <CopyLinks lines={state.lines} />
      <BulkLines lines={state.lines} />
      <Confirm
        title="Stop inviting?"
        action="Stop and leave"
        opened={leaving.state === 'blocked'}
        onConfirm={() => leaving.proceed?.()}
        onClose={() => leaving.reset?.()}
      >
        Those who come later on the list are not invited.
      </Confirm>
    </Stack>
  );
}
