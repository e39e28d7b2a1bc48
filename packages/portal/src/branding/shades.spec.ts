import { assert, integer, property } from 'fast-check';
import { expect, test } from '@jest/globals';
import { contrast, shadesOf } from './shades.js';

const color = integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)
  .filter((each) => contrast(each, '#f8f9fa') >= 4.5);

test('the shades of every accepted color are legible in light and dark mode', () => {
  assert(
    property(color, (primary) => {
      const [, tint, hover, , accent, , , , exact, text] = shadesOf(primary);
      expect(exact).toBe(primary);
      expect(contrast(text, tint)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(text, hover)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(accent, '#2e2e2e')).toBeGreaterThanOrEqual(4.5);
      expect(contrast('#ffffff', text)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
