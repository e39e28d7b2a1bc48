import type { Setting } from './environment.js';
import { decoded } from './percent-encoding.js';

const nilUuid = '00000000-0000-0000-0000-000000000000';
/** `<tenant id>`, `…`, `xxxx`, `your-tenant-id`, `change me`. */
const wordings = /^(<[^@]*>|\.{3}|…|x{3,}|your[-_ ].+|change[-_ ]?me|placeholder|todo)$/i;

const isPlaceholder = (text: string): boolean =>
  text.includes(nilUuid) || wordings.test(text) || text.toLowerCase() === 'you@example.com';

/** Names of settings that were copied from a document or from `vitrine.env.example` unchanged. Secrets: see `isSample`. */
export const placeholdersIn = (
  variables: Readonly<Record<string, string | undefined>>,
  settings: readonly Setting[],
): string[] =>
  settings
    .filter(({ name, secret }) => !secret && isPlaceholder(variables[name]?.trim() ?? ''))
    .map(({ name }) => name);

const samples = /^(password|passw0rd|secret|changeme|change-me|change_me|example|topsecret|<.*>|(.)\2*)$/i;

/** Whether a secret, or the password of a URL, is a placeholder from documentation or tutorials. */
export function isSample(text: string): boolean {
  const secret = URL.canParse(text) ? decoded(new URL(text).password) : text;
  return secret !== '' && samples.test(secret);
}
