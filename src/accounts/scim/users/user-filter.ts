import { hasUserName } from '../../../users/scim-users.queries.js';
import { boolean, type Comparison, type Comparisons, constant, id, text, time } from '../filter.js';
import { userAttributes } from './user-draft.js';

const caseless = (sql: string): Comparison => text(`lower(${sql})`, { isCaseless: true });

const anyUserName = caseless('coalesce(user_name, email)');
const email = caseless('email');
const name = caseless('name');

/** Equality, with which clients find a person, uses the indexes of user names and email addresses. */
const userName: Comparison = (op, value, parameters) =>
  op === 'eq' && typeof value === 'string'
    ? hasUserName(`${parameters.add(value)}::text`)
    : anyUserName(op, value, parameters);

export const userComparisons: Comparisons = {
  ...Object.fromEntries(
    Object.entries(userAttributes).map(([path, key]) => [path, caseless(`attributes->>'${key}'`)]),
  ),
  'manager.value': text(`attributes->>'manager'`),
  id: id((placeholder) => `id = ${placeholder}`),
  username: userName,
  externalid: text('external_id'),
  displayname: name,
  'name.formatted': name,
  'name.givenname': caseless('given_name'),
  'name.familyname': caseless('family_name'),
  emails: email,
  'emails.value': email,
  'emails.type': constant('work'),
  'emails.primary': constant(true),
  active: boolean(`status = 'active'`),
  'meta.created': time('created_at'),
  'meta.lastmodified': time('coalesce(updated_at, created_at)'),
};
