import type { components } from '../api/schema.js';

/** A person, service account or group that holds a grant or is in a group. */
export type HolderRef = Pick<components['schemas']['HolderDto'], 'type' | 'id'>;

/** One value for a picker that offers people and groups. */
export const keyOf = ({ type, id }: HolderRef): string => `${type}:${id}`;

export function holderOf(key: string): HolderRef {
  const [type, id = ''] = key.split(':');
  return { type: type === 'group' ? 'group' : 'user', id };
}
