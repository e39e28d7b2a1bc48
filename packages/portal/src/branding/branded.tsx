import { MantineProvider } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { styleNonce } from '../settings.js';
import { themeOf } from '../theme.js';
import { useBranding } from './branding.js';

/** The theme in the organization's color. */
export function Branded({ children }: { children: ReactNode }) {
  const { primaryColor } = useBranding();
  const theme = useMemo(() => themeOf(primaryColor), [primaryColor]);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      {children}
    </MantineProvider>
  );
}
