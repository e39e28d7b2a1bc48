import { compare, isComparison } from './odata-compare.js';
import { malformed, tokenize, type Token } from './odata-tokens.js';

type Matcher = (item: object) => boolean;
type Value = string | number | boolean | null;
type Operand = (item: object) => unknown;

const textTests = {
  contains: (value: string, wanted: string) => value.includes(wanted),
  startswith: (value: string, wanted: string) => value.startsWith(wanted),
  endswith: (value: string, wanted: string) => value.endsWith(wanted),
};

/** A parsed `$filter`. */
export interface Filter {
  test: Matcher;
  /** The fields that it compares, those of list elements as `users/identifier`. */
  fields: string[];
}

/** A predicate for the subset of OData's `$filter` that Power BI's examples use. Throws a 400 for anything else. */
export function parseFilter(filter: string): Filter {
  return new FilterParser(tokenize(filter)).parse();
}

/** Levels of parentheses and `not`; each is a call of the parser. */
const MAX_DEPTH = 100;

class FilterParser {
  private at = 0;
  private depth = 0;
  private readonly fields: string[] = [];
  /** Variables of the enclosing `any`, with the list that they iterate. */
  private readonly variables = new Map<string, string>();

  constructor(private readonly tokens: Token[]) {}

  parse(): Filter {
    const test = this.either();
    if (this.at < this.tokens.length) throw malformed();
    return { test, fields: this.fields };
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
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw malformed();
    const matcher = this.operandOrGroup();
    this.depth -= 1;
    return matcher;
  }

  private operandOrGroup(): Matcher {
    if (this.takes('not')) {
      const inner = this.single();
      return (item) => !inner(item);
    }
    if (this.takes('(')) {
      const inner = this.either();
      this.expect(')');
      return inner;
    }
    const name = this.peek().text;
    if (isTextTest(name)) return this.call(name);
    if (name.endsWith('/any')) return this.any(name.slice(0, -'/any'.length));
    return this.comparison();
  }

  private call(name: keyof typeof textTests): Matcher {
    this.next();
    this.expect('(');
    const value = this.operand();
    this.expect(',');
    const wanted = this.operand();
    this.expect(')');
    const test = textTests[name];
    return (item) => test(lower(value(item)), lower(wanted(item)));
  }

  /** `users/any()`, or `users/any(u: u/right eq 'Admin')`, whose inner fields belong to the element. */
  private any(list: string): Matcher {
    this.next();
    this.expect('(');
    this.fields.push(list);
    if (this.takes(')')) return (item) => elements(item, list).length > 0;
    const variable = this.next().text.replace(/:$/, '');
    this.variables.set(variable, list);
    const inner = this.either();
    this.variables.delete(variable);
    this.expect(')');
    return (item) => elements(item, list).some((each) => inner(prefixed(each, `${list}/`)));
  }

  private comparison(): Matcher {
    const value = this.operand();
    const operator = this.next().text;
    if (!isComparison(operator)) throw malformed();
    const wanted = this.operand();
    return (item) => compare(operator, value(item), wanted(item));
  }

  /** A field, a literal, or `tolower(…)`, which changes nothing because texts are compared without regard to case. */
  private operand(): Operand {
    const token = this.next();
    if (token.quoted) return () => token.text;
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw malformed();
    const operand = this.unquoted(token);
    this.depth -= 1;
    return operand;
  }

  private unquoted(token: Token): Operand {
    if (/^to(lower|upper)$/.test(token.text) && this.takes('(')) {
      const inner = this.operand();
      this.expect(')');
      return inner;
    }
    // An enumeration value has its type as a prefix: `Some.Type'Admin'`.
    if (this.tokens[this.at]?.quoted) return this.operand();
    const value = literal(token.text);
    return value === undefined ? this.field(token.text) : () => value;
  }

  private field(text: string): Operand {
    if (!/^[A-Za-z]\w*(\/\w+)?$/.test(text)) throw malformed();
    const [variable, inner] = text.split('/') as [string, string | undefined];
    const list = this.variables.get(variable);
    const name = list === undefined ? text : `${list}/${inner}`;
    this.fields.push(name);
    return (item) => read(item, name);
  }

  private peek(): Token {
    const token = this.tokens[this.at];
    if (!token) throw malformed();
    return token;
  }

  private next(): Token {
    const token = this.peek();
    this.at += 1;
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

/** Undefined for the name of a field. */
function literal(text: string): Value | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  // GUIDs and times are not quoted.
  return /^[\da-f]{8}-[\da-f-]{27}$|^\d{4}-\d\d-\d\d/i.test(text) ? text : undefined;
}

function lower(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
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
