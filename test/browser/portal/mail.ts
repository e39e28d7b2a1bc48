import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { until } from '../../support/until.js';
import type { Portal } from './portal.js';

/** The text of the newest mail to this address that contains these words; waits for one. */
export function mailTo({ started }: Portal, email: string, words = ''): Promise<string> {
  const folder = join(started.dataDir, 'mail');
  return until(async () => {
    const newest = readdirSync(folder)
      .filter((name) => name.endsWith(`-${email}.eml`))
      .toSorted()
      .at(-1);
    if (newest === undefined) return undefined;
    const { text = '' } = await PostalMime.parse(readFileSync(join(folder, newest)));
    return text.includes(words) && text;
  });
}

/** The link to this page in the newest mail to this address; waits for one. */
export async function linkFor(portal: Portal, email: string, path = '/invitation'): Promise<string> {
  const text = await mailTo(portal, email, `${path}#token=`);
  return /https?:\/\/\S+#token=[\w-]+/.exec(text)?.[0] ?? '';
}
