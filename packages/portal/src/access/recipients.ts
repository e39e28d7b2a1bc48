import { t } from 'i18next';
import type { Choice } from '../api/sources.js';
import { cleanAddress } from './clean-address.js';

const INVITED = 'email:';
const address = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;.]+$/;

/** Whether the recipient has no account that the caller can see. */
export const isInvited = ({ id }: Choice): boolean => id.startsWith(INVITED);

/** Offers to invite an address that belongs to none of the found people. */
export function newRecipient(text: string, found: readonly Choice[]): Choice | undefined {
  const email = cleanAddress(text);
  const isSame = (each: Choice) => each.email?.toLowerCase() === email.toLowerCase();
  if (!address.test(email) || found.some(isSame)) return undefined;
  return {
    id: `${INVITED}${email.toLowerCase()}`,
    name: email,
    email,
    offer: t('Invite {{email}}', { email }),
  };
}
