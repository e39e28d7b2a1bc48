import type { FrameLocator, Page, Request } from 'playwright-core';

/** What is inside the frame of a report. */
export const inside = (page: Page): FrameLocator => page.frameLocator('iframe');

/** Waits until a report is rendered and not covered. */
export async function isShown(page: Page, name: string): Promise<void> {
  await inside(page).getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading report' }).waitFor({ state: 'detached' });
}

/** Every call for an embed token that the page makes from now on. */
export function tokenCalls(page: Page): Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/embed-token')) calls.push(request);
  });
  return calls;
}

/** Has the page renew its tokens every few seconds, whatever the service advises. */
export async function renewEvery(page: Page, seconds: number): Promise<void> {
  await page.route('**/embed-token', async (route) => {
    const response = await route.fetch();
    const body: unknown = await response.json();
    const json = response.ok() ? { ...(body as object), refresh_in: seconds } : body;
    await route.fulfill({ response, json });
  });
}
