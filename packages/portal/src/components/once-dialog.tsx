import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { Confirm } from './confirm.js';

interface Props {
  title: string;
  /** What the dialog shows that cannot be shown again, e.g. `secret`; undefined: it closes without a question. */
  once: string | undefined;
  centered?: boolean;
  onClose: () => void;
  /** `done` closes without a question. */
  children: (done: () => void) => ReactNode;
}

/** Whoever leaves the page by another way than `allow` is asked first; a closed tab by the browser itself. */
function useLeaving(isAsked: boolean) {
  const isAllowed = useRef(false);
  const leaving = useBlocker(() => isAsked && !isAllowed.current);
  useEffect(() => {
    if (!isAsked) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isAsked]);
  const allow = () => {
    isAllowed.current = true;
  };
  return { leaving, allow };
}

/** Escape, the close button and Back ask before they discard what is shown only once. */
export function OnceDialog({ title, once, centered, onClose, children }: Props) {
  const [asks, setAsks] = useState(false);
  const { leaving, allow } = useLeaving(once !== undefined);
  const isAsking = asks || leaving.state === 'blocked';
  const done = () => {
    allow();
    onClose();
  };
  const keep = () => {
    setAsks(false);
    leaving.reset?.();
  };
  return (
    <>
      <Modal
        opened
        onClose={once === undefined ? onClose : () => setAsks(true)}
        title={title}
        centered={centered}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={!isAsking}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {children(done)}
      </Modal>
      {/* Mounted only now: the Escape that asks would answer, too. */}
      {isAsking && (
        <Confirm
          title={`Discard the ${once}?`}
          action={`Discard ${once}`}
          opened
          onConfirm={() => (leaving.state === 'blocked' ? leaving.proceed() : done())}
          onClose={keep}
        >
          It cannot be shown again. If you have not copied it yet, go back and copy it first.
        </Confirm>
      )}
    </>
  );
}
