import type { EventField } from './event-fields.js';

export type SubjectType =
  | 'user'
  | 'group'
  | 'service_account'
  | 'session'
  | 'invitation'
  | 'workspace'
  | 'report'
  | 'dataset'
  | 'sync'
  | 'embed_revocation'
  | 'settings'
  | 'webhook';

export type FieldName = EventField | `${EventField}?`;

export interface Definition<F extends FieldName> {
  /** Type of the subject; several if it depends on what the event concerns. */
  subjects: readonly SubjectType[];
  description: string;
  /** Fields of the data, besides `actor_id`. One that ends in `?` may be null. All are always present. */
  fields: readonly F[];
}

export const event = <F extends FieldName>(
  subject: SubjectType | readonly SubjectType[],
  description: string,
  ...fields: F[]
): Definition<F> => ({ subjects: [subject].flat(), description, fields });
