import type { MantineColorsTuple } from '@mantine/core';

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The lightest surface of dark mode that text is on. */
const DARK_SURFACE = '#2e2e2e';
const MIN_CONTRAST = 4.5;
/** Beyond 4.5, so that a shade is also legible below black text. */
const DARK_MODE_CONTRAST = 5.5;
const STEPS = 40;

const rgbOf = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;

/** `share` of the other color, 0 to 1. */
const mix = (color: Rgb, other: Rgb, share: number): string =>
  hexOf(color.map((value, index) => value + ((other[index] ?? 0) - value) * share) as unknown as Rgb);

function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color).map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  ) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG contrast ratio, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The mix with the least of the other color, from `share` on, that has this contrast with the background. */
function legible(color: Rgb, other: Rgb, share: number, target: { on: string; ratio: number }): string {
  for (let step = 0; step <= STEPS; step += 1) {
    const mixed = mix(color, other, share + ((1 - share) * step) / STEPS);
    if (contrast(mixed, target.on) >= target.ratio) return mixed;
  }
  return hexOf(other);
}

/**
 * Ten shades of a color that has 4.5:1 with white, for Mantine: 8 is the color, 1 and 2 are tints below text of shade 9,
 * 4 is the accent of dark mode.
 */
export function shadesOf(primary: string): MantineColorsTuple {
  const color = rgbOf(primary);
  const accent = legible(color, WHITE, 0.45, { on: DARK_SURFACE, ratio: DARK_MODE_CONTRAST });
  const tints = [0.94, 0.88, 0.8].map((share) => mix(color, WHITE, share)) as [string, string, string];
  const text = legible(color, BLACK, 0.2, { on: tints[2], ratio: MIN_CONTRAST });
  const light = mix(rgbOf(accent), WHITE, 0.4);
  return [
    ...tints,
    light,
    accent,
    mix(color, WHITE, 0.36),
    mix(color, WHITE, 0.24),
    mix(color, WHITE, 0.12),
    primary,
    text,
  ];
}
