import { type Compare, type Filter, parse } from 'scim2-parse-filter';
import type { Parameters } from '../../core/database/execute.js';
import type { OffsetCondition } from '../../core/lists/offset-page.js';
import { MAX_TIME } from '../../core/validation/times.js';
import { toUuid } from '../../core/validation/text.js';
import { invalid } from './scim.errors.js';

type Operator = Compare['op'] | 'pr';
type Value = Compare['compValue'] | undefined;

/** Returns the SQL condition of a comparison. Throws ScimError for an operator or a value that it does not support. */
export type Comparison = (op: Operator, value: Value, parameters: Parameters) => string;

/** Comparisons by the attribute path in lower case, without the schema. */
export type Comparisons = Readonly<Record<string, Comparison>>;

const MAX_LENGTH = 2000;
const MAX_COMPARISONS = 50;
const signs: Partial<Record<Operator, string>> = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' };

const unsupported = (op: Operator): never =>
  invalid('invalidFilter', `The operator ${op} is not supported for this attribute`);

/** `%` and `_` of the value have no meaning. */
const escaped = (value: string): string => value.replaceAll(/[\\%_]/g, (character) => `\\${character}`);

const patterns: Partial<Record<Operator, (value: string) => string>> = {
  co: (value) => `%${value}%`,
  sw: (value) => `${value}%`,
  ew: (value) => `%${value}`,
};

/** Compares text. With `isCaseless`, `sql` is in lower case already. */
export const text =
  (sql: string, { isCaseless = false } = {}): Comparison =>
  (op, value, parameters) => {
    if (op === 'pr' || (op === 'ne' && value === null)) return `coalesce(${sql}, '') <> ''`;
    if (value === null && op === 'eq') return `coalesce(${sql}, '') = ''`;
    if (typeof value !== 'string') return invalid('invalidFilter', 'The value must be a string');
    const add = (given: string): string =>
      isCaseless ? `lower(${parameters.add(given)}::text)` : `${parameters.add(given)}::text`;
    if (op === 'ne') return `${sql} IS DISTINCT FROM ${add(value)}`;
    const like = patterns[op];
    if (like !== undefined) return `${sql} LIKE ${add(like(escaped(value)))}`;
    return `${sql} ${signs[op] ?? unsupported(op)} ${add(value)}`;
  };

/** Compares an id of this service; an id in another form matches nothing. */
export const id =
  (condition: (placeholder: string) => string): Comparison =>
  (op, value, parameters) => {
    if (op === 'pr') return 'true';
    if (op !== 'eq') return unsupported(op);
    const known = typeof value === 'string' ? toUuid(value) : null;
    return known === null ? 'false' : condition(`${parameters.add(known)}::uuid`);
  };

export const boolean =
  (sql: string): Comparison =>
  (op, value) => {
    if (op === 'pr') return 'true';
    // Microsoft Entra ID sends booleans as strings.
    const wanted = String(value).toLowerCase();
    if (wanted !== 'true' && wanted !== 'false') {
      return invalid('invalidFilter', 'The value must be true or false');
    }
    if (op !== 'eq' && op !== 'ne') return unsupported(op);
    return (wanted === 'true') === (op === 'eq') ? sql : `NOT (${sql})`;
  };

export const time =
  (sql: string): Comparison =>
  (op, value, parameters) => {
    if (op === 'pr') return `${sql} IS NOT NULL`;
    const sign = op === 'ne' ? '<>' : (signs[op] ?? unsupported(op));
    const at = new Date(typeof value === 'string' ? value : Number.NaN);
    if (!(at.getTime() >= 0 && at.getTime() <= MAX_TIME))
      return invalid('invalidFilter', 'The value must be a date and time');
    return `${sql} ${sign} ${parameters.add(at)}::timestamptz`;
  };

/** A sub-attribute with one value only, such as the type of the one email address. */
export const constant =
  (only: string | boolean): Comparison =>
  (op, value) => {
    if (op === 'pr') return 'true';
    const isEqual = String(value).toLowerCase() === String(only).toLowerCase();
    if (op === 'eq') return String(isEqual);
    return op === 'ne' ? String(!isEqual) : unsupported(op);
  };

const schemaPrefix = /^urn:ietf:params:scim:schemas:(?:core|extension:enterprise):2\.0:\w+[:.]/i;

class FilterReader {
  private count = 0;

  constructor(
    private readonly comparisons: Comparisons,
    private readonly parameters: Parameters,
  ) {}

  read(filter: Filter, parent = ''): string {
    if ('filters' in filter) {
      const conditions = filter.filters.map((each) => this.read(each, parent));
      return `(${conditions.join(filter.op === 'and' ? ' AND ' : ' OR ')})`;
    }
    if ('filter' in filter) return `NOT coalesce(${this.read(filter.filter, parent)}, false)`;
    const path = parent + filter.attrPath;
    if ('valFilter' in filter) return this.read(filter.valFilter, `${path}.`);
    return this.compare(path, filter.op, 'compValue' in filter ? filter.compValue : undefined);
  }

  private compare(path: string, op: Operator, value: Value): string {
    if (++this.count > MAX_COMPARISONS) {
      return invalid('invalidFilter', `A filter has at most ${MAX_COMPARISONS} comparisons`);
    }
    const name = path.replace(schemaPrefix, '').toLowerCase();
    const comparison = Object.hasOwn(this.comparisons, name) ? this.comparisons[name] : undefined;
    if (comparison === undefined) return invalid('invalidFilter', `The attribute ${path} cannot be filtered`);
    if (typeof value === 'string' && value.includes('\0')) return 'false';
    return `(${comparison(op, value, this.parameters)})`;
  }
}

/** Returns the SQL condition of a filter (RFC 7644, section 3.4.2.2); all rows without one. Throws ScimError. */
export function filterCondition(filter: string | undefined, comparisons: Comparisons): OffsetCondition {
  if (filter === undefined || filter.trim() === '') return () => 'true';
  if (filter.length > MAX_LENGTH) {
    return invalid('invalidFilter', `A filter has at most ${MAX_LENGTH} characters`);
  }
  const parsed = parsedFilter(filter);
  return (parameters) => new FilterReader(comparisons, parameters).read(parsed);
}

function parsedFilter(filter: string): Filter {
  try {
    return parse(filter);
  } catch {
    return invalid(
      'invalidFilter',
      'The filter could not be parsed. Texts are in double quotes: userName eq "…"',
    );
  }
}
