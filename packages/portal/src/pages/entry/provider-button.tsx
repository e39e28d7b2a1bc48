import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { t } from 'i18next';
import { ProblemAlert } from '../../components/states.js';
import { beginProviderSignIn } from '../../session/provider-sign-in.js';
import { settings } from '../../settings.js';

interface Props {
  destination: string;
  label?: string;
  /** Runs before the browser leaves. */
  before?: () => Promise<unknown>;
}

/** Starts the sign-in at the identity provider, which works only at the configured public URL. */
export function ProviderButton({ destination, label = t('Sign in with your organization'), before }: Props) {
  const leave = useMutation({
    mutationFn: async () => {
      await before?.();
      await beginProviderSignIn(destination);
    },
  });
  const { origin, host } = new URL(settings.publicUrl);
  if (origin !== location.origin) {
    return (
      <Button component="a" href={`${settings.publicUrl}/sign-in`} variant="default">
        {t('Sign in at {{host}}', { host })}
      </Button>
    );
  }
  // The sign-in cookie requires HTTPS.
  if (!isSecureContext) return null;
  return (
    <>
      {leave.error !== null && <ProblemAlert error={leave.error} />}
      <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
        {label}
      </Button>
    </>
  );
}
