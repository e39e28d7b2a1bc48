import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { textOfStored } from '../../api/problem-texts.js';
import { Confirm } from '../../components/confirm.js';
import { notifyDone, notifyFailure } from '../../components/notify.js';
import { useInvitationsChanged } from './use-invitations.js';

interface Resent {
  count: number;
  /** Why the others were not resent. */
  failure?: string;
}

/** One request after the other, until nothing is left, one fails or it is stopped. */
async function resendAll(signal: AbortSignal): Promise<Resent> {
  let count = 0;
  // Of the first response: a long run must not begin again with those that it has resent.
  let mailed_before: string | undefined;
  while (!signal.aborted) {
    const resent = await read(api.POST('/api/invitations/resend', { body: { mailed_before } }));
    const { results } = resent;
    mailed_before = resent.mailed_before;
    count += results.filter(({ invitation }) => invitation !== undefined).length;
    const problem = results.at(-1)?.problem;
    if (problem !== undefined) return { count, failure: textOfStored(problem) };
    if (results.length === 0) break;
  }
  return { count };
}

function announce({ count, failure }: Resent): void {
  const sent =
    count === 0 ? t('No invitations were resent.') : t('Sending {{count}} new invitations.', { count });
  if (failure === undefined) notifyDone(sent);
  else notifyFailure(`${sent} ${failure}`);
}

/** Sends new links for all open invitations. A run continues when its button disappears: the list behind it is filtered. */
export function ResendAll({ canResend }: { canResend: boolean }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const close = () => setIsConfirming(false);
  const changed = useInvitationsChanged();
  // The request that is sent is not aborted: the service may have resent some of its invitations.
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);
  const resending = useMutation({
    mutationFn: () => {
      stopping.current = new AbortController();
      return resendAll(stopping.current.signal);
    },
    onSuccess: (resent) => {
      close();
      announce(resent);
    },
    onSettled: changed,
  });
  return (
    <>
      {canResend && (
        <Button variant="default" onClick={() => setIsConfirming(true)}>
          {t('Resend all')}
        </Button>
      )}
      <Confirm
        title={t('Resend all open invitations?')}
        action={t('Resend all')}
        color="blue"
        opened={isConfirming}
        change={resending}
        onConfirm={() => resending.mutate()}
        onClose={() => {
          stopping.current.abort();
          close();
        }}
      >
        {t(
          'Everyone whose invitation is pending, or expired in the last 30 days, receives an email with a new link. Previous links stop working. Invitations of the last minute are not resent.',
        )}
      </Confirm>
    </>
  );
}
