import { createTheme } from '@mantine/core';

/** Shades that keep 4.5:1 against text in light and dark. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: 8,
  defaultRadius: 'md',
  fontFamily: "'Segoe UI', system-ui, -apple-system, Roboto, 'Helvetica Neue', Arial, sans-serif",
  autoContrast: true,
  respectReducedMotion: true,
  // Those of notifications and drawers have no name of their own.
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    // A table that is wider than the phone shows that it goes on, and is scrolled by keys too.
    TableScrollContainer: {
      defaultProps: { scrollAreaProps: { type: 'auto', viewportProps: { tabIndex: 0 } } },
    },
  },
});
