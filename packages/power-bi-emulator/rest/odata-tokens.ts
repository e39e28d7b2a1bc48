import { invalidRequest } from './power-bi-error.js';

const tokenPattern = /\s*(?:'((?:[^']|'')*)'|([()',])|([^\s()',]+))/y;

export interface Token {
  text: string;
  quoted: boolean;
}

/** Throws PowerBiError. */
export function tokenize(filter: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < filter.trimEnd().length) {
    const match = tokenPattern.exec(filter);
    if (!match) throw malformed();
    const [, quoted, mark, word] = match;
    if (quoted === undefined) tokens.push({ text: (mark ?? word)!, quoted: false });
    else tokens.push({ text: quoted.replaceAll("''", "'"), quoted: true });
  }
  return tokens;
}

export function malformed(): Error {
  return invalidRequest('The $filter expression is not valid.');
}
