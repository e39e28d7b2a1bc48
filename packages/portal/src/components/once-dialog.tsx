import { useIsMutating } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { t } from 'i18next';
import { msg } from '../i18n/index.js';
import { Confirm } from './confirm.js';
import { Dialog } from './dialog.js';
import { useAskBeforeUnload } from './use-ask-before-unload.js';

const questions = {
  secret: { title: msg('Discard this secret?'), action: msg('Discard secret') },
  link: { title: msg('Discard this link?'), action: msg('Discard link') },
};

interface Props {
  title: string;
  /** What the dialog shows only once; without it, the dialog closes without confirmation. */
  once: keyof typeof questions | '' | undefined;
  /** False before it is on the screen: closing the dialog then only calls `onClose`, which shows it. */
  isShown?: boolean;
  centered?: boolean;
  onClose: () => void;
  /** `done` closes without confirmation. `cancel` closes before the request, but not during it: its result is shown only once. */
  children: (done: () => void, cancel: () => void) => ReactNode;
}

/** Asks before the page is left without `allow`; the browser asks before the tab is closed. */
function useLeaving(isAsked: boolean) {
  const isAllowed = useRef(false);
  const leaving = useBlocker(() => isAsked && !isAllowed.current);
  useAskBeforeUnload(isAsked);
  const allow = () => {
    isAllowed.current = true;
  };
  return { leaving, allow };
}

/** Escape, the close button and Back ask before they discard a value that is shown only once. */
export function OnceDialog({ title, once, isShown = true, centered, onClose, children }: Props) {
  const [asks, setAsks] = useState(false);
  // Downloads take minutes.
  const isSending = useIsMutating({ predicate: ({ meta }) => meta?.isDownload !== true }) > 0;
  const { leaving, allow } = useLeaving(once !== undefined || isSending);
  const isFailed = leaving.state === 'blocked' && once === undefined && !isSending;
  useEffect(() => {
    // The request that had to be awaited has failed.
    if (isFailed) leaving.proceed?.();
  }, [isFailed, leaving]);
  const isAsking = asks || leaving.state === 'blocked';
  const question = once ? questions[once] : undefined;
  const cancel = () => {
    if (!isSending) onClose();
  };
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
      <Dialog
        onClose={once === undefined || !isShown ? cancel : () => setAsks(true)}
        title={title}
        centered={centered}
        size="lg"
        closeOnClickOutside={false}
      >
        {children(done, cancel)}
      </Dialog>
      {isAsking && question !== undefined && (
        <Confirm
          title={t(question.title)}
          action={t(question.action)}
          opened
          onConfirm={() => (leaving.state === 'blocked' ? leaving.proceed() : done())}
          onClose={keep}
        >
          {t("It won't be shown again. If you haven't copied it yet, cancel and copy it first.")}
        </Confirm>
      )}
    </>
  );
}
