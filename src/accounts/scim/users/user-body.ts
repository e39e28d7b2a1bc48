import { invalid } from '../scim.errors.js';
import { isObject } from '../single-value.js';
import { asReplacement, UserDraft, type UserValues } from './user-draft.js';

/** Reads the body of POST. Throws ScimError. */
export function createdUser(body: unknown): UserValues & { userName: string } {
  const draft = new UserDraft();
  draft.setAll(body);
  const { userName, ...values } = draft.values;
  if (userName === undefined) return invalid('invalidValue', 'userName is required');
  return { ...values, userName };
}

/** Reads the body of PUT: what it does not contain is removed, except the id of the provider. Throws ScimError. */
export const replacedUser = (body: unknown): UserValues => asReplacement(createdUser(body));

/** Reads the body of PATCH. Microsoft Entra ID sends `Add`, `Replace` and `Remove`. Throws ScimError. */
export function patchedUser(body: unknown): UserValues {
  const entries = isObject(body) ? Object.entries(body) : [];
  const operations = entries.find(([name]) => name.toLowerCase() === 'operations')?.[1];
  if (!Array.isArray(operations) || operations.length === 0) {
    return invalid('invalidSyntax', 'Operations must be an array of at least one operation');
  }
  const draft = new UserDraft();
  for (const operation of operations as unknown[]) applyTo(draft, operation);
  return draft.values;
}

function applyTo(draft: UserDraft, operation: unknown): void {
  if (!isObject(operation)) return invalid('invalidSyntax', 'An operation must be an object');
  const { op, path, value } = operation;
  const name = typeof op === 'string' ? op.toLowerCase() : '';
  if (name !== 'add' && name !== 'replace' && name !== 'remove') {
    return invalid('invalidSyntax', 'op must be add, remove or replace');
  }
  if (path !== undefined && path !== null && typeof path !== 'string') {
    return invalid('invalidPath', 'path must be a string');
  }
  const target = path?.trim() ?? '';
  if (name === 'remove') {
    if (target === '') return invalid('noTarget', 'remove requires a path');
    return draft.setPath(target, null);
  }
  if (value === undefined) return invalid('invalidValue', `${name} requires a value`);
  draft.isAddition = name === 'add';
  if (target === '') draft.setAll(value);
  else draft.setPath(target, value);
}
