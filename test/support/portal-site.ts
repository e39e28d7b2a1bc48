import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { embedInOwnFrame } from './powerbi-page.js';

const pageIn = (path: string): string => /```html\n([\s\S]*?)```/.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
const page = pageIn('packages/embed/README.md');
const recipe = pageIn('docs/usage.md');
/** Microsoft's client creates no frame for the host of the emulator, so the test does. */
const client = `${readFileSync(createRequire(import.meta.url).resolve('powerbi-client/dist/powerbi.min.js'), 'utf8')}
  ;window.powerbi.embed = (_element, config) => {
    (${embedInOwnFrame.toString()})(config);
    return window.report;
  };`;

export interface PortalSite {
  origin: string;
  /** Sets the URL of the service and the source of access tokens. */
  useService: (url: string, accessToken: (refused: boolean) => Promise<string>) => void;
  close: () => Promise<void>;
}

/**
 * A portal on another origin than the service, with the example page of the embed helper's README, and as `/recipe` that
 * of docs/usage.md. Both show the report of the parameter `report`.
 */
export async function startPortalSite(): Promise<PortalSite> {
  let useService = { url: '', accessToken: (_refused: boolean) => Promise.resolve('') };
  const scripts: Record<string, () => string> = {
    '/powerbi-client/dist/powerbi.min.js': () => client,
    '/embed.js': () => readFileSync('dist/portal/embed.js', 'utf8'),
  };
  const handle: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://portal');
    const script = scripts[pathname];
    if (script !== undefined) {
      response.setHeader('content-type', 'text/javascript').end(script());
    } else if (pathname === '/access-token') {
      void useService
        .accessToken(searchParams.get('refused') === 'true')
        .then((token) => response.end(token));
    } else if (pathname === '/blank') {
      response.setHeader('content-type', 'text/html').end('<!doctype html>');
    } else {
      const shown = pathname === '/recipe' ? recipe : page;
      const ours = shown
        .replace('https://vitrine.example/embed.js', '/embed.js')
        .replace(/(reportId: ')[0-9a-f-]{36}'/, `$1${searchParams.get('report') ?? ''}'`);
      response.setHeader('content-type', 'text/html');
      response.end(ours.replaceAll('https://vitrine.example', useService.url));
    }
  };
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    useService: (url, accessToken) => (useService = { url, accessToken }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
