/** WCAG 2.2, 1.4.3: normal text. */
export const MIN_CONTRAST = 4.5;
/** The page behind accent-colored text in light mode. */
const LIGHT_PAGE = '#f8f9fa';
const WHITE = '#ffffff';

const channel = (value: number): number => {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

/** WCAG relative luminance of `#rrggbb`. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => channel(Number.parseInt(color.slice(at, at + 2), 16)));
  return 0.2126 * (red as number) + 0.7152 * (green as number) + 0.0722 * (blue as number);
}

/** WCAG contrast ratio of two colors, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return ((light as number) + 0.05) / ((dark as number) + 0.05);
}

/** Rounded down, so that a rejected color is never shown as 4.5. */
const shown = (ratio: number): string => (Math.floor(ratio * 100) / 100).toFixed(2);

/** Why the color cannot be the primary color; undefined if it can. Dark mode uses lighter shades of it. */
export function lowContrast(color: string): string | undefined {
  const required = `at least ${MIN_CONTRAST}:1 is required. Choose a darker colour.`;
  const onColor = contrast(WHITE, color);
  if (onColor < MIN_CONTRAST)
    return `primary_color has too little contrast: white text on ${color} has ${shown(onColor)}:1, ${required}`;
  const onPage = contrast(color, LIGHT_PAGE);
  if (onPage < MIN_CONTRAST)
    return `primary_color has too little contrast: links in ${color} on the light background ${LIGHT_PAGE} have ${shown(onPage)}:1, ${required}`;
  return undefined;
}
