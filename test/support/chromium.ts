import { existsSync } from 'node:fs';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

export const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

const shell = '/usr/bin/chromium-headless-shell';
/** Takes a third less CPU time than Chromium, but has no back/forward cache and draws some pixels differently. */
export const HEADLESS_SHELL = process.env.CHROMIUM_PATH ?? (existsSync(shell) ? shell : CHROMIUM);

/** Starts Chromium. `args` are added to the arguments of every test. */
export function launchChromium({ args = [], ...options }: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', ...args],
    ...options,
  });
}
