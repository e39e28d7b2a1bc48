import type { Demo } from './demo.js';
import type { Credentials } from './secrets.js';

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A self-contained command: it requests its own token and requires only curl and sed. */
function curl(url: string, { email, password }: Credentials, request: string): string {
  // The shell expands an exclamation mark from its history, even inside quotes.
  const body = quoted(JSON.stringify({ email, password }).replaceAll('!', String.raw`\u0021`));
  const token =
    `curl -sS ${url}/api/auth/token -H 'Content-Type: application/json' -d ${body}` +
    String.raw` | sed 's/.*"access_token":"\([^"]*\)".*/\1/'`;
  return `curl -sS ${request} -w '\\n' -H "Authorization: Bearer $(${token})"`;
}

interface Places {
  url: string;
  powerBiUrl: string;
  issuer: string;
  mailFolder: string;
  hasPortal: boolean;
}

/** The addresses, credentials and example commands that a local start prints. */
export function banner(places: Places, { admin, reportId }: Demo): string {
  const { url, powerBiUrl, issuer, mailFolder, hasPortal } = places;
  const lines = [
    '',
    `Vitrine is ready at ${url}`,
    '',
    ...(hasPortal ? [`  portal          ${url} (sign in as the admin)`] : []),
    `  documentation   ${url}/docs`,
    `  Power BI        ${powerBiUrl} (emulator)`,
    `  Entra ID        ${new URL(issuer).origin} (emulator; see docs/sign-in.md)`,
    `  mail            ${mailFolder}`,
  ];
  if (!admin)
    return [...lines, '', "The admin's password has been changed since the first start.", ''].join('\n');
  lines.push(`  admin email     ${admin.email}`, `  admin password  ${admin.password}`, '');
  lines.push('List workspaces:', curl(url, admin, `${url}/api/workspaces`), '');
  lines.push('List reports:', curl(url, admin, `${url}/api/reports`), '');
  if (reportId) {
    const request = `-X POST ${url}/api/reports/${reportId}/embed-token`;
    lines.push('Request an embed token:', curl(url, admin, request), '');
  }
  return [...lines, 'Press Ctrl-C to stop. The next start keeps the data.', ''].join('\n');
}
