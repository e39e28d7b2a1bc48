import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  items?: JsonSchema;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
}

export interface Operation {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; schema: JsonSchema }[];
  /** `image/*` for a route that takes a file. */
  requestBody?: { content: { 'application/json'?: { schema: JsonSchema } } };
  responses: Record<string, { headers?: object; content?: Record<string, { schema: JsonSchema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: JsonSchema } } } } }
  >;
  components: { schemas: Record<string, JsonSchema> };
}

/** The text with references to responses and parameters replaced by what they refer to. */
export function withResponses<T>(text: string): T {
  const { components } = JSON.parse(text) as { components: Record<string, Record<string, object>> };
  const resolve = (_name: string, value: unknown): unknown => {
    const [, kind = '', name = ''] = /^#\/components\/(responses|parameters)\/(.*)$/.exec(refOf(value)) ?? [];
    return name === '' ? value : components[kind]?.[name];
  };
  return JSON.parse(text, resolve) as T;
}
const refOf = (value: unknown): string => (value as { $ref?: string } | null)?.$ref ?? '';

const document = withResponses<Document>(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
);

export interface DescribedOperation extends Operation {
  method: string;
  /** With `{names}` of parameters in it. */
  path: string;
}

/** Every request that openapi.json describes. */
export const operations: DescribedOperation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
);

export const schemaNamed = ({ $ref = '' }: JsonSchema): JsonSchema => {
  const schema = document.components.schemas[$ref.replace('#/components/schemas/', '')];
  if (schema === undefined) throw new Error(`openapi.json has no ${$ref}`);
  return schema;
};

// Responses have no unlisted fields.
const strict = structuredClone(document);
for (const schema of Object.values(strict.components.schemas)) {
  if (schema.properties !== undefined) schema.additionalProperties = false;
}
const ajv = addFormats.default(new Ajv2020({ strict: false })).addSchema(strict, 'openapi');

interface ReceivedResponse {
  status: number;
  contentType: string;
  text: string;
}

/** The differences between a response and its operation in openapi.json, or null. */
export function responseErrors(
  { responses }: Operation,
  { status, contentType, text }: ReceivedResponse,
): string | null {
  const described = responses[String(status)] ?? (status >= 400 ? responses.default : undefined);
  if (described === undefined) return `status ${status} is not described`;
  const isEmpty = described.content === undefined || described.content['*/*']?.schema.type === 'null';
  if (isEmpty) return text === '' ? null : `a body where none is described: ${text}`;
  const [type = ''] = contentType.split(';');
  const schema = described.content?.[type]?.schema;
  if (schema === undefined) return `${contentType} is not described for ${status}`;
  if (!/^application\/(problem\+)?json$/.test(type)) return null;
  return schemaErrors(schema, JSON.parse(text));
}

/** Schemas of the messages that a webhook sends, by their type. */
export const webhookSchemas: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(document.webhooks).map(([type, { post }]) => [
    type,
    post.requestBody.content['application/json'].schema,
  ]),
);

/** The violations of this schema of openapi.json, or null. */
export function schemaErrors(schema: JsonSchema, value: unknown): string | null {
  const validate = ajv.compile(schema.$ref === undefined ? schema : { $ref: `openapi${schema.$ref}` });
  if (validate(value)) return null;
  const describe = ({ instancePath, message = '' }: ErrorObject): string => `${instancePath} ${message}`;
  return (validate.errors ?? []).map(describe).join('; ');
}
