import { expect, test } from '@jest/globals';
import { type JsonSchema, operations, schemaNamed } from './support/openapi-operations.js';

/** The properties of a request's body whose length nothing in the schema limits. */
function unlimitedIn(schema: JsonSchema, name = ''): string[] {
  if (schema.$ref !== undefined) return unlimitedIn(schemaNamed(schema), name);
  const inside = Object.entries(schema.properties ?? {}).flatMap(([key, each]) => unlimitedIn(each, key));
  if (schema.items !== undefined) inside.push(...unlimitedIn(schema.items, name));
  if ((schema.enum ?? schema.anyOf ?? schema.format ?? schema.pattern) !== undefined) return inside;
  const types = [schema.type].flat();
  const isUnlimited =
    (types.includes('string') && schema.maxLength === undefined) ||
    (types.includes('array') && schema.maxItems === undefined && schema.items?.enum === undefined);
  return isUnlimited ? [name, ...inside] : inside;
}

test('openapi.json contains the limits of the strings and lists of request bodies', () => {
  const found = operations.flatMap(({ requestBody }) =>
    unlimitedIn(requestBody?.content['application/json']?.schema ?? {}),
  );
  // Limited in bytes, or by their form.
  const others = ['primary_color', 'state', 'time_zone', 'view_state'];
  expect([...new Set(found)].toSorted()).toEqual(others);
});
