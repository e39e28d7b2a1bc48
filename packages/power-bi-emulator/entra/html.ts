import type { Person } from '../content/people.js';

export function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A page of the sign-in; `body` is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f2f2f2; color: #1b1b1b; }
main { max-width: 26rem; margin: 10vh auto; padding: 2rem; background: #fff; box-shadow: 0 2px 6px #0003; }
h1 { font-size: 1.4rem; margin-top: 0; }
button, input { font: inherit; display: block; width: 100%; box-sizing: border-box; padding: .6rem; margin: .4rem 0; }
button { text-align: left; background: #fff; border: 1px solid #bbb; cursor: pointer; }
button:hover, button:focus-visible { background: #eef4fb; }
small { color: #555; }
</style>
</head>
<body><main><h1>${escaped(title)}</h1>
${body}
<p><small>This is the Power BI emulator. It asks for no password.</small></p>
</main></body>
</html>
`;
}

export function hidden(fields: Record<string, string | undefined>): string {
  return Object.entries(fields)
    .map(([name, value = '']) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join('\n');
}

/** One button per person, which submits the form. */
export function buttonsFor(people: Person[]): string {
  return people
    .map(
      ({ upn, displayName }) =>
        `<button name="username" value="${escaped(upn)}">${escaped(displayName)}<br><small>${escaped(upn)}</small></button>`,
    )
    .join('\n');
}
