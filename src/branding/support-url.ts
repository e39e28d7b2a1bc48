import { isEmailAddress } from '../core/validation/email-address.js';
import { isReadableText } from '../core/validation/text.js';

const MAX_LENGTH = 500;

/** One address, and at most a subject: other fields could add recipients or a body. */
function isMailto({ pathname, search, hash }: URL): boolean {
  return isEmailAddress(pathname) && hash === '' && (search === '' || /^\?subject=[^&]*$/i.test(search));
}

/** An `https:` URL without credentials, or `mailto:` with one address. */
export function isSupportUrl(value: unknown): value is string {
  if (!isReadableText(value) || value.length > MAX_LENGTH || /[\s\\]|%0[ad]/i.test(value)) return false;
  const url = URL.parse(value);
  if (url?.protocol === 'mailto:') return isMailto(url);
  return (
    url?.protocol === 'https:' && /^https:\/\//i.test(value) && url.username === '' && url.password === ''
  );
}
