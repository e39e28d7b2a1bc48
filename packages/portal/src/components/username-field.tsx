import { VisuallyHidden } from '@mantine/core';

/** Tells password managers whose password a form sets. */
export const UsernameField = ({ email }: { email: string }) => (
  <VisuallyHidden aria-hidden>
    <input type="email" name="email" autoComplete="username" value={email} readOnly tabIndex={-1} />
  </VisuallyHidden>
);
