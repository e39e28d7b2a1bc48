import type { Parameters } from '../database/execute.js';
import { escapeLike, NameSearch, separators, termOf } from './name-search.js';

/** SQL expression: a term in which the characters of a regular expression match themselves. */
const escapeRegex = (term: string): string =>
  String.raw`regexp_replace(${term}, '([-\\.*+?^{$}()|[\]#&~/])', '\\\1', 'g')`;

/** How well a name matches: the whole name, its beginning, the beginning of a word, or anywhere. */
export type Rank = 0 | 1 | 2 | 3;

/** SQL of a search whose best matches come first. `usesIndex` allows the trigram index of the column. */
export class NameRank {
  private readonly search: NameSearch;
  private readonly part: string;
  private readonly whole: string;
  private readonly start: string;
  private readonly word: string;

  constructor(q: string, parameters: Parameters) {
    this.search = new NameSearch(q);
    this.part = parameters.add(this.search.value);
    this.whole = termOf(this.part);
    this.start = `${escapeLike(this.whole)} || '%'`;
    this.word = escapeRegex(this.whole);
  }

  matches(key: string, usesIndex = false): string {
    return this.search.matchesIndexed(key, this.part, usesIndex);
  }

  startsName(key: string, usesIndex = false): string {
    return `${this.search.indexed(key, usesIndex)} LIKE ${this.start}`;
  }

  startsWord(key: string, usesIndex = false): string {
    return `${this.search.indexed(key, usesIndex)} ~ ('(^|${separators})' || ${this.word})`;
  }

  /** SQL expression of type `Rank`. */
  rank(key: string): string {
    return `CASE WHEN ${key} = ${this.whole} THEN 0 WHEN ${this.startsName(key)} THEN 1
      WHEN ${this.startsWord(key)} THEN 2 ELSE 3 END`;
  }
}
