import { exampleOf } from './example.js';

/** `id` in `/api/workspaces/{id}` is the variable `workspace_id`. */
function variableOf(path, name) {
  if (name !== 'id') return name;
  const resource = path.split('/{id}')[0].split('/').at(-1);
  return `${resource.replaceAll('-', '_').replace(/s$/, '')}_id`;
}

function urlOf({ path, parameters }, { query = {}, params = {} }) {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, description, schema }) => ({
      key: name,
      value: query[name] ?? (required ? `{{${name}}}` : String(schema.default ?? '')),
      ...(!required && query[name] === undefined && { disabled: true }),
      description,
    }));
  const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const sent = inQuery.filter(({ disabled }) => disabled === undefined);
  return {
    raw: `{{base_url}}${route}${sent.map(({ key, value }, index) => `${index ? '&' : '?'}${key}=${value}`).join('')}`,
    host: ['{{base_url}}'],
    path: route.split('/').slice(1),
    ...(inQuery.length > 0 && { query: inQuery }),
    ...(inPath.length > 0 && {
      variable: inPath.map(({ name }) => ({
        key: name,
        value: `{{${params[name] ?? variableOf(path, name)}}}`,
      })),
    }),
  };
}

function authOf(operation, { token }) {
  if (operation.security?.length === 0) return { auth: { type: 'noauth' } };
  if (token === undefined) return {};
  return { auth: { type: 'bearer', bearer: [{ key: 'token', value: `{{${token}}}`, type: 'string' }] } };
}

function bodyOf({ requestBody }, { body }, schemas) {
  if (requestBody === undefined) return {};
  if (requestBody.content['application/json'] === undefined) return { body: { mode: 'file', file: {} } };
  const value = body ?? exampleOf(requestBody.content['application/json'].schema, schemas);
  const raw = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } };
}

/** The request of a step, completed from its operation. */
export function requestOf(operation, step, schemas) {
  const headers = operation.parameters.filter((parameter) => parameter.in === 'header');
  return {
    method: operation.method,
    ...authOf(operation, step),
    header: headers.map(({ name, description }) => ({ key: name, value: '{{$guid}}', description })),
    url: urlOf(operation, step),
    description: [operation.description, step.note].filter(Boolean).join('\n\n'),
    ...bodyOf(operation, step, schemas),
  };
}
