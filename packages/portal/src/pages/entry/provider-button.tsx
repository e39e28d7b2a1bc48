import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ProblemAlert } from '../../components/states.js';
import { beginProviderSignIn } from '../../session/provider-sign-in.js';
import { settings } from '../../settings.js';

interface Props {
  destination: string;
  label?: string;
  /** What has to be done first. */
  before?: () => Promise<unknown>;
}

/** Leads to the identity provider and back. That begins and ends at the address that Vitrine knows itself by. */
export function ProviderButton({ destination, label = 'Sign in with your organisation', before }: Props) {
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
        {label} at {host}
      </Button>
    );
  }
  // No cookie would come back from there.
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
