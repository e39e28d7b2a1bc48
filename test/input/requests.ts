import * as fc from 'fast-check';
import { anything, hostileText, times } from './hostile.js';
import {
  type DescribedOperation,
  type JsonSchema,
  operations,
  schemaNamed,
} from '../support/openapi-operations.js';

export interface GeneratedRequest {
  operation: DescribedOperation;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Index of the caller, modulo the number of callers. */
  caller: number;
}

/** Mostly valid, so that most requests pass validation. */
function valueOf(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: described(schema, ids) }, { weight: 1, arbitrary: anything });
}

function described(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return described(schemaNamed(schema), ids);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => described(choice, ids)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const [type] = [schema.type ?? 'object'].flat();
  switch (type) {
    case 'string':
      return textOf(schema, ids);
    case 'integer':
    case 'number':
      return fc.integer({ min: -1, max: 400 });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, ids), { maxLength: 3 });
    case 'object':
    case undefined:
    default:
      return objectOf(schema, ids);
  }
}

const textOf = ({ format }: JsonSchema, ids: readonly string[]): fc.Arbitrary<string> => {
  const dates = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'date-time') return fc.oneof(dates, fc.constantFrom(...times));
  if (format === 'date')
    return fc.oneof(
      dates.map((date) => date.slice(0, 10)),
      fc.constantFrom(...times),
    );
  return fc.oneof(fc.constantFrom(...ids), fc.emailAddress(), fc.string({ maxLength: 30 }), hostileText);
};

function objectOf(
  { properties = {}, additionalProperties }: JsonSchema,
  ids: readonly string[],
): fc.Arbitrary<unknown> {
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, ids)]),
  );
  const record = fc.record(known, { requiredKeys: [] });
  const others = fc.dictionary(hostileText, anything, { maxKeys: 2 });
  const extra =
    additionalProperties === undefined ? fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, others) : others;
  return fc.tuple(record, extra).map(([own, more]) => ({ ...more, ...own }));
}

/** As the characters of a path or a query: mostly encoded, sometimes as they came. */
const encoded = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
};

const brokenEncoding = fc.constantFrom('%', '%zz', '%C3%28', '%00', '%2e%2e%2f', ';', '[]', '..');

const segment = (ids: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: anything.map(encoded).filter((text) => text !== '') },
    { weight: 1, arbitrary: brokenEncoding },
  );

function queryOf({ parameters = [] }: DescribedOperation, ids: readonly string[]): fc.Arbitrary<string> {
  const known = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => valueOf(schema, ids).map((value) => `${name}=${encoded(value)}`));
  const other = fc.oneof(
    fc.tuple(hostileText, hostileText).map(([name, value]) => `${encoded(name)}=${encoded(value)}`),
    brokenEncoding,
  );
  const parts = known.length > 0 ? fc.oneof({ weight: 6, arbitrary: fc.oneof(...known) }, other) : other;
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    { weight: 3, arbitrary: fc.array(parts, { maxLength: 3 }).map((all) => `?${all.join('&')}`) },
  );
}

const brokenJson = fc.oneof(
  fc.constantFrom('', '{', '[', '{"a":1}}', '\u0000', 'nul', '{"email":"a","email":"b"}', '['.repeat(5000)),
  fc.string({ maxLength: 30 }),
);

function bodyOf(
  { requestBody }: DescribedOperation,
  ids: readonly string[],
): fc.Arbitrary<string | undefined> {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, brokenJson);
  const json = valueOf(schema, ids).map((value) => JSON.stringify(value) ?? 'null');
  return fc.oneof({ weight: 8, arbitrary: json }, brokenJson, fc.constant(undefined));
}

const printable = fc.stringMatching(/^[\x21-\x7e]{1,60}$/);

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        'if-none-match': printable,
        'idempotency-key': printable,
        'x-request-id': printable,
        'x-forwarded-for': printable,
        accept: fc.constantFrom('text/csv', 'application/x-ndjson', 'image/png', '*/*', ';'),
        'content-type': fc.constantFrom(
          'text/plain',
          'application/json; charset=utf-7',
          'application/xml',
          ';',
        ),
        'content-encoding': fc.constantFrom('gzip', 'br', 'x'),
      },
      { requiredKeys: [] },
    ),
  },
);

/** Any operation of openapi.json, as any caller, with arbitrary values. */
export const requests = (ids: readonly string[]): fc.Arbitrary<GeneratedRequest> =>
  fc.constantFrom(...operations).chain((operation) => {
    const names = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    return fc
      .record({
        segments: fc.tuple(...names.map(() => segment(ids))),
        query: queryOf(operation, ids),
        body: bodyOf(operation, ids),
        headers,
        caller: fc.nat({ max: 1000 }),
      })
      .map(({ segments, query, body, ...rest }) => {
        const path = names.reduce(
          (text, { name }, index) => text.replace(`{${name}}`, () => segments[index] ?? ''),
          operation.path,
        );
        const sendsBody = body !== undefined && operation.method !== 'GET';
        return {
          operation,
          method: operation.method,
          path: path + query,
          ...rest,
          ...(sendsBody && { body }),
        };
      });
  });
