const names = [
  [/(^|_)id$/, '01a1fd86-75f9-727f-bc6d-cbc6ab633040'],
  [/(^|_)email$/, 'ada@example.com'],
  [/(^|_)url$/, 'https://example.com/'],
];
const formats = { date: '2026-11-21', 'date-time': '2026-11-21T08:00:00.000Z' };

const textOf = ({ format, minLength = 0 }, name) => {
  const text = formats[format] ?? names.find(([pattern]) => pattern.test(name))?.[1] ?? `example ${name}`;
  return text.padEnd(minLength, '.').replaceAll('_', ' ');
};

const objectOf = ({ properties = {} }, schemas) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema, schemas, name)]),
  );

/** A value that a schema of openapi.json allows; `name` is the name of its property. */
export function exampleOf(schema, schemas, name = '') {
  if (schema.$ref !== undefined) return exampleOf(schemas[schema.$ref.split('/').at(-1)], schemas, name);
  const value = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (value !== undefined) return value;
  const [choice] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (choice !== undefined) return exampleOf(choice, schemas, name);
  const [type = 'object'] = [schema.type].flat();
  if (type === 'string') return textOf(schema, name);
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return type === 'array' ? [exampleOf(schema.items ?? {}, schemas, name)] : objectOf(schema, schemas);
}
