import { createHash } from 'node:crypto';
import { Eta } from 'eta';

const eta = new Eta({ autoEscape: true, autoTrim: false });

const style = `
:root { color-scheme: light dark; --page: #f4f5f7; --card: #fff; --text: #1b1f24; --dim: #59636e; --line: #8c959f; --main: #0b5cad; --on-main: #fff; --bad: #a40e26; --good: #116329 }
@media (prefers-color-scheme: dark) {
  :root { --page: #16181b; --card: #22262b; --text: #e8eaed; --dim: #a9b1ba; --line: #6e7781; --main: #7cb8f7; --on-main: #0d1b2a; --bad: #ff9a9f; --good: #7ee2a0 }
}
body { margin: 0; padding: 24px; background: var(--page); color: var(--text); font: 16px/1.5 'Segoe UI', system-ui, Roboto, Helvetica, Arial, sans-serif }
main { max-width: 420px; margin: 8vh auto 0; padding: 32px; background: var(--card); border-radius: 8px; overflow-wrap: anywhere }
h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.3 }
label { display: block; margin-top: 16px }
input { box-sizing: border-box; width: 100%; margin-top: 4px; padding: 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--card); color: inherit; font: inherit }
small { color: var(--dim) }
a { color: var(--main) }
button { margin-top: 24px; padding: 12px 20px; border: 0; border-radius: 6px; background: var(--main); color: var(--on-main); font: inherit; cursor: pointer }
button:disabled { opacity: .6 }
.problem { color: var(--bad) }
.done { color: var(--good) }
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

interface PlainPage<T extends { title: string }> {
  render: (values: T) => string;
  /** Content-Security-Policy: allows only the page's own style and script, and requests to its own origin. */
  policy: string;
}

/** A self-contained page outside the portal. `content` is the Eta template below the heading; `script` is inlined. */
export function plainPage<T extends { title: string }>(content: string, script?: string): PlainPage<T> {
  const template = eta.compile(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title><%= it.title %></title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1><%= it.title %></h1>
${content}
    </main>
    ${script === undefined ? '' : `<script>${script}</script>`}
  </body>
</html>
`);
  const policy = [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { render: (values) => eta.render(template, values), policy };
}
