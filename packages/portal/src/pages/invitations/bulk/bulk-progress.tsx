import './bulk.css';
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link, useBlocker } from 'react-router';
import { t } from 'i18next';
import { Confirm } from '../../../components/confirm.js';
import { useAskBeforeUnload } from '../../../components/use-ask-before-unload.js';
import { formatClock, formatDateTime, isSameDay } from '../../../i18n/format.js';
import { msg } from '../../../i18n/index.js';
import { useInvitationsChanged } from '../use-invitations.js';
import { BulkLines } from './bulk-lines.js';
import { type BulkRun, type BulkState, isActive } from './bulk-run.js';
import { isDone, summaryOf } from './counts.js';
import { CopyLinks } from './copy-links.js';

interface Props {
  run: BulkRun;
  onAnother: () => void;
}

/** Runs while the page is open. */
function useRun(run: BulkRun): BulkState {
  const state = useSyncExternalStore(run.subscribe, run.snapshot);
  const changed = useInvitationsChanged();
  useEffect(() => {
    void run.start();
    return () => run.leave();
  }, [run]);
  useEffect(() => {
    if (state.phase === 'finished' || state.phase === 'stopped') void changed();
  }, [state.phase, changed]);
  return state;
}

/** The button that started the run was at the end of a long form. */
function useShown(): RefObject<HTMLDivElement | null> {
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    shown.current?.focus({ preventScroll: true });
    shown.current?.scrollIntoView({ block: 'start' });
  }, []);
  return shown;
}

/** A limit of a day can end tomorrow. */
const resumption = (at: number): string =>
  isSameDay(at, Date.now())
    ? t('Resumes automatically at {{time}}.', { time: formatClock(at) })
    : t('Resumes automatically on {{time}}.', { time: formatDateTime(at) });

const Waiting = ({ state: { phase, reason, resumesAt } }: { state: BulkState }) => {
  if (reason === undefined) return null;
  const title = phase === 'pausing' ? t('Paused') : t('Stopped');
  return (
    <Alert color="orange" variant="light" title={title} role="status">
      {reason} {phase === 'pausing' && resumesAt !== undefined && resumption(resumesAt)}
    </Alert>
  );
};

const Controls = ({ run, state, onAnother }: Props & { state: BulkState }) => {
  const failed = state.lines.filter((line) => line.state === 'failed').length;
  return (
    <Group>
      {isActive(state) && (
        <Button variant="default" onClick={() => run.stop()}>
          {state.phase === 'stopping' ? t('Stopping…') : t('Stop')}
        </Button>
      )}
      {state.phase === 'stopped' && <Button onClick={() => void run.start()}>{t('Resume')}</Button>}
      {!isActive(state) && failed > 0 && (
        <Button onClick={() => void run.retryFailed()}>{t('Retry failed invitations')}</Button>
      )}
      {!isActive(state) && (
        <>
          <Button component={Link} to="/invitations" variant="default">
            {t('View invitations')}
          </Button>
          <Button variant="default" onClick={onAnother}>
            {t('Invite more users')}
          </Button>
        </>
      )}
    </Group>
  );
};

const texts = {
  running: {
    title: msg('Stop inviting?'),
    action: msg('Stop and leave'),
    text: msg("The remaining users on the list won't be invited."),
  },
  links: {
    title: msg('Discard these links?'),
    action: msg('Discard links'),
    text: msg("They won't be shown again. If you haven't copied them yet, cancel and copy them first."),
  },
};

export function BulkProgress({ run, onAnother }: Props) {
  const state = useRun(run);
  const hasLinks = state.lines.some(({ link }) => link !== undefined);
  const isAsked = isActive(state) || hasLinks;
  const leaving = useBlocker(isAsked);
  useAskBeforeUnload(isAsked);
  const [isDiscarding, setIsDiscarding] = useState(false);
  const question = texts[isActive(state) ? 'running' : 'links'];
  const mayLeave = leaving.state === 'blocked' && !isAsked;
  useEffect(() => {
    // The run ended while it was asked.
    if (mayLeave) leaving.proceed?.();
  }, [mayLeave, leaving]);
  const done = state.lines.filter(isDone).length;
  const summary = summaryOf(state.lines);
  const shown = useShown();
  return (
    <Stack
      ref={shown}
      role="group"
      aria-label={t('Invitation progress')}
      tabIndex={-1}
      className="bulk-progress"
    >
      <Progress
        value={(100 * done) / state.lines.length}
        aria-label={t('Invitations sent')}
        animated={state.phase === 'running'}
      />
      <Text role="status">
        {state.phase === 'finished'
          ? t('Completed: {{summary}}', { summary })
          : t('{{done}} of {{total}}: {{summary}}', {
              done,
              total: state.lines.length,
              summary,
            })}
      </Text>
      <Waiting state={state} />
      <Controls run={run} state={state} onAnother={hasLinks ? () => setIsDiscarding(true) : onAnother} />
      <CopyLinks lines={state.lines} />
      <BulkLines lines={state.lines} />
      <Confirm
        title={t(question.title)}
        action={t(question.action)}
        opened={isDiscarding || leaving.state === 'blocked'}
        onConfirm={() => (leaving.state === 'blocked' ? leaving.proceed() : onAnother())}
        onClose={() => {
          setIsDiscarding(false);
          leaving.reset?.();
        }}
      >
        {isActive(state) && t(texts.running.text)} {hasLinks && t(texts.links.text)}
      </Confirm>
    </Stack>
  );
}
