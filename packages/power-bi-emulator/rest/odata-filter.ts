import { invalidRequest } from './power-bi-error.js';

type Matcher = (item: object) => boolean;
type Value = string | number | boolean | null;

const tokenPattern = /\s*(?:'((?:[^']|'')*)'|([()',])|([^\s()',]+))/y;

const textTests = {
  contains: (value: string, wanted: string) => value.includes(wanted),
  startswith: (value: string, wanted: string) => value.startsWith(wanted),
  endswith: (value: string, wanted: string) => value.endsWith(wanted),
};

interface Token {
  text: string;
  quoted: boolean;
}

/** A predicate for the subset of OData's `$filter` that Power BI's examples use. Throws a 400 for anything else. */
export function matcher(filter: string): Matcher {
  return new FilterParser(tokenize(filter)).parse();
}

function tokenize(filter: string): Token[] {
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

class FilterParser {
  private at = 0;

  constructor(private readonly tokens: Token[]) {}

  parse(): Matcher {
    const result = this.either();
    if (this.at < this.tokens.length) throw malformed();
    return result;
  }

  private either(): Matcher {
    let left = this.both();
    while (this.takes('or')) {
      const [one, other] = [left, this.both()];
      left = (item) => one(item) || other(item);
    }
    return left;
  }

  private both(): Matcher {
    let left = this.single();
    while (this.takes('and')) {
      const [one, other] = [left, this.single()];
      left = (item) => one(item) && other(item);
    }
    return left;
  }

  private single(): Matcher {
    if (this.takes('not')) {
      const inner = this.single();
      return (item) => !inner(item);
    }
    if (this.takes('(')) {
      const inner = this.either();
      this.expect(')');
      return inner;
    }
    const name = this.next().text;
    if (!this.takes('(')) return this.comparison(name);
    return name.endsWith('/any') ? this.any(name.slice(0, -'/any'.length)) : this.call(name);
  }

  private call(name: string): Matcher {
    if (!isTextTest(name)) throw malformed();
    const field = this.next().text;
    this.expect(',');
    const wanted = this.next().text.toLowerCase();
    this.expect(')');
    const test = textTests[name];
    return (item) => {
      const value = read(item, field);
      return typeof value === 'string' && test(value.toLowerCase(), wanted);
    };
  }

  /** `users/any()`, or `users/any(u: u/right eq 'Admin')`, whose inner fields belong to the element. */
  private any(list: string): Matcher {
    if (this.takes(')')) return (item) => elements(item, list).length > 0;
    const variable = `${this.next().text.replace(/:$/, '')}/`;
    const inner = this.either();
    this.expect(')');
    return (item) => elements(item, list).some((each) => inner(prefixed(each, variable)));
  }

  private comparison(field: string): Matcher {
    const operator = this.next().text;
    if (operator !== 'eq' && operator !== 'ne') throw malformed();
    const wanted = this.literal();
    return (item) => equal(read(item, field), wanted) === (operator === 'eq');
  }

  /** A value; an enumeration value has its type as a prefix: `Some.Type'Admin'`. */
  private literal(): Value {
    const token = this.next();
    if (!token.quoted && this.tokens[this.at]?.quoted) return this.next().text;
    return literal(token);
  }

  private next(): Token {
    const token = this.tokens[this.at++];
    if (!token) throw malformed();
    return token;
  }

  private takes(text: string): boolean {
    const token = this.tokens[this.at];
    if (!token || token.quoted || token.text !== text) return false;
    this.at += 1;
    return true;
  }

  private expect(text: string): void {
    if (!this.takes(text)) throw malformed();
  }
}

function isTextTest(name: string): name is keyof typeof textTests {
  return Object.hasOwn(textTests, name);
}

function literal({ text, quoted }: Token): Value {
  if (quoted) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return text;
}

function elements(item: object, list: string): object[] {
  const value = read(item, list);
  return Array.isArray(value) ? value : [];
}

function prefixed(element: object, prefix: string): object {
  return Object.fromEntries(Object.entries(element).map(([name, value]) => [prefix + name, value]));
}

function read(item: object, field: string): unknown {
  return (item as Record<string, unknown>)[field] ?? null;
}

function equal(value: unknown, wanted: Value): boolean {
  if (typeof value === 'string' && typeof wanted === 'string') {
    return value.toLowerCase() === wanted.toLowerCase();
  }
  return value === wanted;
}

function malformed(): Error {
  return invalidRequest('The $filter expression is not valid.');
}
