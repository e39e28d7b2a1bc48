import { DaxError, tokenize, type Token } from './tokens.js';

/** Each level is several calls of the parser. */
const MAX_DEPTH = 100;

/** Reads the tokens of a query one after another. */
export class Reader {
  private at = 0;
  private depth = 0;
  private readonly tokens: Token[];

  constructor(query: string) {
    this.tokens = tokenize(query);
  }

  /** Reads an expression inside another one. Throws DaxError if they are nested too deeply. */
  nested<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new DaxError('The expression is nested too deeply.');
    const expression = read();
    this.depth -= 1;
    return expression;
  }

  peek(ahead = 0): Token {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.peek();
    this.at += 1;
    return token;
  }

  /** A mark or a keyword, which is case-insensitive. */
  takes(text: string): boolean {
    const { kind, text: found } = this.peek();
    if (kind !== 'mark' && kind !== 'word') return false;
    if (found.toUpperCase() !== text) return false;
    this.at += 1;
    return true;
  }

  takeOneOf(texts: string[]): string | undefined {
    return texts.find((text) => this.takes(text));
  }

  expect(text: string): void {
    if (!this.takes(text)) throw this.unexpected(this.peek());
  }

  takeColumn(): string | undefined {
    return this.peek().kind === 'column' ? this.next().text : undefined;
  }

  takeText(): string | undefined {
    return this.peek().kind === 'text' ? this.next().text : undefined;
  }

  /** Table and column of `Table[Column]`. */
  column(): [string, string] {
    const table = this.next();
    const column = this.takeColumn();
    if ((table.kind !== 'table' && table.kind !== 'word') || column === undefined)
      throw this.unexpected(table);
    return [table.text, column];
  }

  /** Whether `Table[Column]` follows. */
  isColumn(): boolean {
    return ['table', 'word'].includes(this.peek().kind) && this.peek(1).kind === 'column';
  }

  unexpected({ kind, text }: Token): DaxError {
    return new DaxError(`The syntax for '${kind === 'end' ? 'EOF' : text}' is incorrect.`);
  }
}
