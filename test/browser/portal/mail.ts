import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { until } from '../../support/until.js';
import type { Portal } from './portal.js';

/** The link to this page in the newest mail to this address; waits for one. */
export function linkFor({ started }: Portal, email: string, path = '/invitation'): Promise<string> {
  const folder = join(started.dataDir, 'mail');
  return until(async () => {
    const newest = readdirSync(folder)
      .filter((name) => name.endsWith(`-${email}.eml`))
      .toSorted()
      .at(-1);
    if (newest === undefined) return undefined;
    const { text } = await PostalMime.parse(readFileSync(join(folder, newest)));
    const link = /https?:\/\/\S+#token=[\w-]+/.exec(text ?? '')?.[0];
    return link?.includes(path) && link;
  });
}
