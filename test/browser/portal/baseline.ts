import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(import.meta.dirname, 'baseline');
const failures = '.data/screenshots';
const font = readFileSync(join(folder, 'inter.woff2'));

/** One font everywhere, times that do not pass, and nothing that differs from run to run. */
const style = `
  @font-face { font-family: Baseline; src: url(./baseline.woff2); font-weight: 100 900; }
  *, *::before, *::after { font-family: Baseline !important; caret-color: transparent !important; }
  time { font-size: 0 !important; }
  time::after { content: '3 hours ago'; font-size: 14px; }
  input[readonly] { color: transparent !important; }
  iframe { opacity: 0; }
  /* Known a minute after the start. */
  .freshness { display: none !important; }
`;

/** After its next load the page looks the same on every machine. */
export async function normalize(page: Page): Promise<void> {
  await page.route('**/assets/baseline.woff2', (route) =>
    route.fulfill({ body: font, contentType: 'font/woff2' }),
  );
  await page.route('**/assets/index-*.css', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}${style}` });
  });
}

/**
 * In the page: the share of 4 x 4 blocks whose average differs visibly. Averages hide what two versions of Chromium draw
 * differently at the edges of letters, and show what has moved.
 */
const compare = `async ([expected, actual]) => {
  const read = async (data) => {
    const bitmap = await createImageBitmap(await (await fetch('data:image/jpeg;base64,' + data)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    return canvas.getContext('2d').getImageData(0, 0, bitmap.width, bitmap.height);
  };
  const averages = ({ data, width, height }) => {
    const columns = Math.floor(width / 4);
    const sums = new Float64Array(columns * Math.floor(height / 4));
    for (let y = 0; y < Math.floor(height / 4) * 4; y += 1)
      for (let x = 0; x < columns * 4; x += 1) {
        const at = 4 * (y * width + x);
        sums[Math.floor(y / 4) * columns + Math.floor(x / 4)] += (data[at] + data[at + 1] + data[at + 2]) / 48;
      }
    return sums;
  };
  const [a, b] = [await read(expected), await read(actual)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  const [before, after] = [averages(a), averages(b)];
  return before.filter((value, index) => Math.abs(value - after[index]) > 32).length / before.length;
}`;

/** Part of the window. A line of text that moved is more. */
export const TOLERANCE = 0.005;
/** Milliseconds in which a page that still loads parts of its content can become equal to its image. */
const SETTLE_MS = 60_000;

async function comparePage(page: Page, expected: Buffer, name: string): Promise<number> {
  const actual = await page.screenshot({ type: 'jpeg', quality: 80, animations: 'disabled' });
  mkdirSync(failures, { recursive: true });
  writeFileSync(join(failures, `actual-${name}.jpg`), actual);
  const blank = await page.context().newPage();
  try {
    const pictures = [expected, actual].map((each) => each.toString('base64'));
    return await blank.evaluate<number>(`(${compare})(${JSON.stringify(pictures)})`);
  } finally {
    await blank.close();
  }
}

/**
 * The share of areas that differ from the committed image, from 0 to 1, as soon as it is within the tolerance, at the
 * latest after a minute. Without an image, that of this run is written and counts as different: check it, then commit it.
 */
export async function difference(page: Page, name: string): Promise<number> {
  const path = join(folder, `${name}.jpg`);
  if (!existsSync(path)) {
    await page.waitForLoadState('networkidle');
    writeFileSync(path, await page.screenshot({ type: 'jpeg', quality: 80, animations: 'disabled' }));
    return 1;
  }
  const expected = readFileSync(path);
  const end = Date.now() + SETTLE_MS;
  for (;;) {
    const share = await comparePage(page, expected, name);
    if (share <= TOLERANCE || Date.now() > end) return share;
    await page.waitForTimeout(200);
  }
}
