import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/** A person as the rows of all modules refer to them. `email` is in canonical form. */
export interface Person {
  id: string;
  email: string;
}

/** A person who is being erased. `placeholder` replaces the email address. */
export interface ErasedPerson extends Person {
  placeholder: string;
  at: Date;
}

export type Statement = readonly [text: string, values: unknown[]];

/** The rows of one section of an export. Column names are its keys; other people appear as ids only. */
export type ExportedRows = (person: Person, manager: EntityManager) => Statement | Promise<Statement>;

/**
 * Columns of one table that hold a person and are treated alike. Each module declares those of its tables in `personalData`;
 * `src/accounts/personal-data.ts` collects them. `test/accounts/personal-data-registry.e2e-spec.ts` fails for a column that is missing.
 */
export interface PersonalData {
  table: string;
  columns: readonly string[];
  /** What the columns hold. */
  holds: string;
  /** Sections have plain names in snake_case, each once. `omits` is the reason why an export contains nothing. */
  export: { section: string; rows: ExportedRows } | { omits: string };
  /** Without `run`, another entry of the table does it. `keeps` is the reason why erasure changes nothing. */
  erasure: { does: 'delete' | 'anonymize'; run?: Erasure } | { keeps: string };
}

type Erasure = (tx: EntityManager, person: ErasedPerson) => Promise<unknown>;

/** The rows of a statement whose only parameter is the person's id. */
export const rowsById =
  (text: string): ExportedRows =>
  ({ id }) => [text, [id]];

/** An erasure that deletes the rows whose column is the person's id. */
export const eraseRows =
  <T extends ObjectLiteral>(entity: EntityTarget<T>, column: keyof T & string): Erasure =>
  (tx, { id }) =>
    tx.delete(entity, { [column]: id });

/** Reasons that several modules share. */
export const reasons = {
  recordedInTrail: 'the action is in the section audit_events_by_this_person',
  erasedUser: 'an id that refers to an erased user',
  secret: 'a secret or its hash',
} as const;

/** A person who only did something, such as `granted_by`: in no export, and kept as the id of an erased user. */
export const recordedOnly = (table: string, columns: readonly string[], holds: string): PersonalData => ({
  table,
  columns,
  holds,
  export: { omits: reasons.recordedInTrail },
  erasure: { keeps: reasons.erasedUser },
});
