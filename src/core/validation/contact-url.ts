import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '#openapi';
import { isEmailAddress } from './email-address.js';
import { isReadableText } from './text.js';
import { Satisfies } from './validators.js';

const MAX_LENGTH = 500;

/** One address, and at most a subject: other fields could add recipients or a body. */
function isMailto({ pathname, search, hash }: URL): boolean {
  return isEmailAddress(pathname) && hash === '' && (search === '' || /^\?subject=[^&]*$/i.test(search));
}

function isContactUrl(value: unknown): value is string {
  if (!isReadableText(value) || value.length > MAX_LENGTH || /[\s\\]|%0[ad]/i.test(value)) return false;
  const url = URL.parse(value);
  if (url?.protocol === 'mailto:') return isMailto(url);
  return (
    url?.protocol === 'https:' && /^https:\/\//i.test(value) && url.username === '' && url.password === ''
  );
}

/** An `https:` URL without credentials, or `mailto:` with one address. */
export const IsContactUrl = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: MAX_LENGTH }),
    Satisfies(
      'isContactUrl',
      isContactUrl,
      '$property must be an https URL without credentials, or mailto: with one address, of at most 500 characters',
    ),
  );
