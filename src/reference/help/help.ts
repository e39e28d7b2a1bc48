import type { ProblemCode } from '../../core/problems/problem-catalogue.js';

/** Explanation of one problem code. Texts are Markdown; links are relative to `docs/`. */
export interface Help {
  /** Meaning and usual causes. */
  means: string;
  /** Action for the caller: the client or its user. */
  caller: string;
  /** Action for an admin of Vitrine or its operator, if there is one. */
  operator?: string;
}

export type Topic = Partial<Record<ProblemCode, Help>>;
