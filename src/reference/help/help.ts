import type { ProblemCode } from '../../core/problems/problem-catalogue.js';

/** What somebody who meets this code wants to know. Texts are Markdown; links are relative to `docs/`. */
export interface Help {
  /** What it means, and what usually causes it. */
  means: string;
  /** What the caller does: the client, or the person before it. */
  caller: string;
  /** What an admin of Vitrine or its operator does, where they can. */
  operator?: string;
}

export type Topic = Partial<Record<ProblemCode, Help>>;
