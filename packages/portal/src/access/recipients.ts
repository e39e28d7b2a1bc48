import { t } from 'i18next';
import type { Choice } from '../api/sources.js';
import { cleanAddress } from './clean-address.js';

const INVITED = 'email:';
const address = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]+$/;

/** Whether the recipient has no account that the caller can see. */
export const isInvited = ({ id }: Choice): boolean => id.startsWith(INVITED);

const invited = (email: string): Choice => ({ id: `${INVITED}${email.toLowerCase()}`, name: email, email });

export const withEmail = (choices: readonly Choice[], email: string): Choice | undefined =>
  choices.find((each) => each.email?.toLowerCase() === email.toLowerCase());

/** The found account of an address, an invitation to an address without one, or every address of a pasted list. */
export function newRecipient(text: string, found: readonly Choice[]): Choice | undefined {
  const parts = text.split(/[\s,;]+/).map(cleanAddress);
  const emails = [...new Map(parts.filter(Boolean).map((each) => [each.toLowerCase(), each])).values()];
  const [email] = emails;
  if (email === undefined || !emails.every((each) => address.test(each))) return undefined;
  if (emails.length > 1)
    return {
      id: `${INVITED}${emails.join(',')}`,
      name: text,
      offer: t('Add {{count}} email addresses', { count: emails.length }),
      parts: emails.map(invited),
    };
  return withEmail(found, email) ?? { ...invited(email), offer: t('Invite {{email}}', { email }) };
}
