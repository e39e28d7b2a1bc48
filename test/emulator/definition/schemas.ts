import { Ajv2019, type ValidateFunction } from 'ajv/dist/2019.js';
import formats from 'ajv-formats';
import { definitions, type Json } from './definition.js';

/** What goes over the wire and is not in the definition (each a named guess of the emulator). */
const wireExtras: Record<string, string[]> = {
  Group: ['type'],
  Report: ['isFromPbix', 'datasetWorkspaceId'],
  AdminReport: ['isFromPbix', 'datasetWorkspaceId'],
  ActivityEventResponse: ['lastResultSet'],
  Import: ['connectionType', 'source'],
};

/** Known defects of the definition, by name. */
const defects = {
  /** Writes some properties in PascalCase that its own examples, and the wire, have in camelCase. */
  camelCase: (name: string) => name.charAt(0).toLowerCase() + name.slice(1),
  /** Demands what other parts of it say must or may be absent. */
  wrongly_required: {
    CreateOrUpdateProfileRequest: ['id'],
    DatasetRefreshRequest: ['notifyOption'],
    EffectiveIdentity: ['username'],
    /** An example adds a user by nothing but an email address. */
    User: ['principalType', 'identifier'],
  } as Record<string, string[]>,
  /** Its name for the members that OData writes as `@odata.…`. */
  odata: 'odata.context',
};

const ajv = new Ajv2019({ strict: false, allErrors: true });
formats.default(ajv);
for (const [name, definition] of Object.entries(definitions)) {
  ajv.addSchema(open(name, definition), `def:open/${name}`);
  // Closed: a property that neither the definition nor the list above knows is an invention.
  // One without properties, such as the row of a query, has any.
  const isClosed = definition.properties !== undefined || definition.allOf !== undefined;
  const closing = isClosed ? { unevaluatedProperties: false } : {};
  ajv.addSchema({ $ref: `def:open/${name}`, ...closing }, `def:closed/${name}`);
}

const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a value by a schema of the definition; nothing when it is right. */
export function faultsOf(schema: Json, value: unknown): string[] {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile(converted(schema));
  compiled.set(key, validate);
  validate(withoutAnnotations(value));
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function open(name: string, definition: Json): Json {
  const schema = converted(definition, 'open');
  const extras = (wireExtras[name] ?? []).map((extra) => [extra, true] as const);
  const wrong = defects.wrongly_required[name] ?? [];
  const required = ((schema.required ?? []) as string[]).filter((each) => !wrong.includes(each));
  const properties = { ...(schema.properties as Json | undefined), ...Object.fromEntries(extras) };
  return { ...schema, required: required.map(defects.camelCase), properties };
}

/** Swagger 2.0 as JSON Schema; parts of an `allOf` stay open, since the whole closes them. */
function converted(schema: Json, reference: 'open' | 'closed' = 'closed'): Json {
  const { $ref, properties, items, allOf, ...rest } = schema;
  if (typeof $ref === 'string') return { $ref: `def:${reference}/${$ref.replace('#/definitions/', '')}` };
  return {
    ...rest,
    ...(isJson(properties) && { properties: convertedProperties(properties) }),
    ...(isJson(items) && { items: converted(items) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map((part: Json) => converted(part, 'open')) }),
  };
}

function convertedProperties(properties: Json): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [defects.camelCase(name), converted(each as Json)]),
  );
}

function withoutAnnotations(value: unknown): unknown {
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith('@odata.')));
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
