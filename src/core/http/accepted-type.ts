import type { Request } from 'express';
import { Problem } from '../problems/problem.js';

interface Range {
  type: string;
  q: number;
}

export class NotAcceptable extends Problem {
  constructor(offered: readonly string[]) {
    super('not_acceptable', `Accept must allow one of ${offered.join(', ')}.`);
  }
}

/** Splits at a separator outside quoted strings. */
const split = (text: string, separator: ',' | ';'): string[] =>
  text.match(separator === ',' ? /(?:"(?:[^"\\]|\\.)*"?|[^",])+/g : /(?:"(?:[^"\\]|\\.)*"?|[^";])+/g) ?? [];

/** A media range with its weight. Other parameters, such as `charset`, do not select a representation here. */
function rangeOf(text: string): Range {
  const [type = '', ...parameters] = split(text, ';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((each) => /^q\s*=/.test(each))?.replace(/^q\s*=\s*/, '') ?? '1';
  const q = Number(weight);
  return { type, q: q >= 0 && q <= 1 ? q : 0 };
}

/** Ranges that match the type, from the most to the least specific. */
const matching = (type: string): string[] => [type, type.replace(/\/.*/, '/*'), '*/*'];

/**
 * The offered media type that the client prefers by its `Accept` header: by weight, then by the order of the header, then
 * by the order of the offer. Throws NotAcceptable if none fits.
 */
export function acceptedType<T extends string>({ headers }: Request, offered: readonly [T, ...T[]]): T {
  const given = headers.accept?.trim() ?? '';
  if (given === '') return offered[0];
  const ranges = split(given, ',').map(rangeOf);
  const candidates = offered.flatMap((type) => {
    const match = matching(type).flatMap((each) => ranges.findIndex((range) => range.type === each));
    const index = match.find((each) => each >= 0);
    const q = index === undefined ? 0 : (ranges[index]?.q ?? 0);
    return q > 0 ? [{ type, q, index: index ?? 0 }] : [];
  });
  const [best] = candidates.toSorted((a, b) => b.q - a.q || a.index - b.index);
  if (best === undefined) throw new NotAcceptable(offered);
  return best.type;
}
