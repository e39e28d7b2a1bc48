import { createTheme, mergeThemeOverrides, type MantineThemeOverride } from '@mantine/core';
import { shadesOf } from './branding/shades.js';

/** Shades that keep 4.5:1 against text in light and dark. */
const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: 8,
  defaultRadius: 'md',
  fontFamily: "'Segoe UI', system-ui, -apple-system, Roboto, 'Helvetica Neue', Arial, sans-serif",
  autoContrast: true,
  respectReducedMotion: true,
  // Those of notifications and drawers have no name of their own.
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    // A header of a dialog is no landmark: there is one banner, that of the portal.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    // Long names and addresses fit a phone.
    Modal: { styles: { title: { overflowWrap: 'anywhere' }, body: { overflowWrap: 'break-word' } } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    // A table that is wider than the phone shows that it goes on, and is scrolled by keys too.
    TableScrollContainer: {
      defaultProps: {
        scrollAreaProps: { type: 'auto', offsetScrollbars: 'present', viewportProps: { tabIndex: 0 } },
      },
    },
  },
});

const DEFAULT_COLOR = '#1971c2';

/** Components refer to the accent color as `blue`, whatever color the organization chooses. */
export const themeOf = (primaryColor: string): MantineThemeOverride =>
  primaryColor === DEFAULT_COLOR
    ? theme
    : mergeThemeOverrides(theme, { colors: { blue: shadesOf(primaryColor) } });
