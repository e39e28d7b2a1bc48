/** The query is not DAX, or not the part of it that the emulator understands. */
export class DaxError extends Error {}

export interface Token {
  kind: 'table' | 'column' | 'text' | 'number' | 'word' | 'mark' | 'end';
  text: string;
}

const patterns: [Token['kind'] | 'space', RegExp][] = [
  ['space', /(?:\s+|--[^\n]*|\/\/[^\n]*)/y],
  ['table', /'((?:[^']|'')+)'/y],
  ['column', /\[([^\]]+)\]/y],
  ['text', /"((?:[^"]|"")*)"/y],
  ['number', /(\d+(?:\.\d+)?)/y],
  ['word', /([A-Za-z_][\w.]*)/y],
  ['mark', /(<=|>=|<>|&&|\|\||[-+*/=<>(),])/y],
];

/** Throws DaxError. */
export function tokenize(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < query.length) {
    const found = patterns
      .map(([kind, pattern]) => ({ kind, match: matchAt(pattern, query, at) }))
      .find(({ match }) => match !== null);
    if (!found?.match) throw new DaxError(`Query (1, ${at + 1}) The syntax is incorrect.`);
    at += found.match[0].length;
    if (found.kind !== 'space')
      tokens.push({ kind: found.kind, text: unescaped(found.kind, found.match[1]!) });
  }
  return [...tokens, { kind: 'end', text: '' }];
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function unescaped(kind: string, text: string): string {
  if (kind === 'table') return text.replaceAll("''", "'");
  return kind === 'text' ? text.replaceAll('""', '"') : text;
}
