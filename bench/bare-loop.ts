import { setTimeout as sleep } from 'node:timers/promises';
import { powerBiToken } from './parts.js';

interface Page {
  value: { id: string }[];
}

/**
 * Fetches what a sync fetches, with the same concurrency, and does nothing with it. It waits after a 429 as Microsoft
 * asks: a limit is the principal's, so that all of its calls wait, not the one that was told.
 */
export async function bareLoop(url: string, concurrency: number): Promise<number> {
  const token = await powerBiToken(url);
  let pausedUntil = 0;
  let items = 0;

  async function get(path: string): Promise<Page> {
    for (;;) {
      for (let left = pausedUntil - performance.now(); left > 0; left = pausedUntil - performance.now()) {
        await sleep(left);
      }
      const response = await fetch(`${url}/v1.0/myorg/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      if (response.status !== 429) return (await response.json()) as Page;
      await response.arrayBuffer();
      pausedUntil = performance.now() + Number(response.headers.get('retry-after')) * 1000;
    }
  }

  const paths: string[] = [];
  for (let skip = 0; ; skip += 1000) {
    const { value } = await get(`groups?$top=1000&$skip=${skip}`);
    for (const { id } of value) paths.push(`groups/${id}/reports`, `groups/${id}/datasets`);
    if (value.length < 1000) break;
  }
  const left = paths.values();
  const worker = async (): Promise<void> => {
    for (const path of left) items += (await get(path)).value.length;
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return items;
}
