import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { PortalFolder } from '../../src/portal/portal-files.service.js';

export const bundle = 'document.getElementById("root").textContent = "Reports";\n'.repeat(50);

/** As built; the service fills in base, settings and nonce. */
const index = `<!doctype html>
<html lang="en">
  <head>
    <base href="%BASE%" />
    <title>Vitrine</title>
    <link rel="icon" href="./favicon.svg" />
    <meta property="csp-nonce" nonce="%NONCE%">
    <script type="application/json" id="vitrine-settings">%SETTINGS%</script>
    <script type="module" crossorigin src="./assets/index-Dk3v9a.js" nonce="%NONCE%"></script>
  </head>
  <body><div id="root"></div></body>
</html>
`;

/** A folder like `dist/portal` of a build, with a secret file next to it. */
export function portalFolder(files: readonly string[] = ['index.html', 'embed.js']): string {
  const outside = mkdtempSync(join(tmpdir(), 'vitrine-portal-'));
  const folder = join(outside, 'portal');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  const contents: Record<string, string | Buffer> = {
    '../package.json': '{"secret":true}',
    'assets/index-Dk3v9a.js': bundle,
    'assets/index-Dk3v9a.js.br': brotliCompressSync(bundle),
    'assets/index-Dk3v9a.js.gz': gzipSync(bundle),
    'assets/index-B71c02.css': '.report{height:100%}',
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    ...(files.includes('index.html') && { 'index.html': index }),
    ...(files.includes('embed.js') && { 'embed.js': 'export const keepEmbedded = 1;\n' }),
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  return folder;
}

/** For `startService`: serves this portal instead of the built one. */
export const withPortal =
  (path = portalFolder()) =>
  (testing: TestingModuleBuilder): void => {
    testing.overrideProvider(PortalFolder).useValue({ path });
  };
