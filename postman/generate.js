// Writes the Postman collection from openapi.json and scenario.js. `npm run generate` runs it.
import { readFileSync, writeFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { exampleOf } from './example.js';
import { requestOf } from './request.js';
import { cleanUp, folders, variables } from './scenario.js';

const folder = process.argv[2] ?? '.';
const document = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'));
const { schemas } = document.components;

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
);

const resolved = (response) => document.components.responses[response.$ref?.split('/').at(-1)] ?? response;

const json = (value) => JSON.stringify(value, null, 2);
const script = (listen, lines) => ({ listen, script: { type: 'text/javascript', exec: lines } });
const linesOf = (text = '') => text.split('\n').filter((line) => line.trim() !== '');

/** The media type and an example of a documented response; undefined for one without a body. */
function contentOf({ responses }, status, code) {
  const { content = {} } = resolved(responses[status] ?? responses.default);
  const [[type, { schema }] = ['*/*', {}]] = Object.entries(content);
  if (type === '*/*') return undefined;
  const value = exampleOf(schema, schemas);
  if (code === undefined) return { type, value };
  const { type: uri, instance, request_id } = value;
  return {
    type,
    value: { type: uri, title: STATUS_CODES[status], status, detail: '…', instance, code, request_id },
  };
}

function responseOf(request, status, content) {
  const { description: _, url, ...rest } = request;
  const query = url.query?.filter(({ disabled }) => disabled === undefined);
  const originalRequest = { ...rest, url: { ...url, query } };
  return {
    name: STATUS_CODES[status],
    originalRequest,
    status: STATUS_CODES[status],
    code: status,
    _postman_previewlanguage: 'json',
    header: content === undefined ? [] : [{ key: 'Content-Type', value: content.type }],
    body: typeof content?.value === 'object' ? json(content.value) : (content?.value ?? ''),
  };
}

/** Checks of the documented status and fields; a step with `example` has its own. */
function checksOf({ responses }, { example, code }, status, content) {
  if (example !== undefined) return [];
  const checks = [`pm.test('responds ${status}', () => pm.response.to.have.status(${status}));`];
  if (code !== undefined) {
    checks.push(`pm.test('names the problem', () => pm.expect(pm.response.json().code).to.eql('${code}'));`);
  }
  const schema = responses[status]?.content?.['application/json']?.schema;
  const fields = schemas[schema?.$ref?.split('/').at(-1)]?.required ?? [];
  if (content !== undefined && fields.length > 0) {
    checks.push(
      `const fields = ${JSON.stringify(fields)};`,
      "pm.test('has the documented fields', () => pm.expect(pm.response.json()).to.include.all.keys(fields));",
    );
  }
  return checks;
}

const firstSuccess = ({ responses }) =>
  Number(Object.keys(responses).find((status) => status.startsWith('2')));

function itemOf(step) {
  const operation = operations.find(({ operationId }) => operationId === step.operation);
  if (operation === undefined)
    throw new Error(`openapi.json has no operation ${step.operation}: see scenario.js`);
  const status = step.status ?? step.example ?? firstSuccess(operation);
  const content = contentOf(operation, status, step.code);
  const request = requestOf(operation, step, schemas);
  const before = linesOf(step.before);
  return {
    name: step.name,
    event: [
      ...(before.length > 0 ? [script('prerequest', before)] : []),
      script('test', [...checksOf(operation, step, status, content), ...linesOf(step.test)]),
    ],
    request,
    response: [responseOf(request, status, content)],
  };
}

const folderOf = ({ name, description = '', steps }) => ({ name, description, item: steps.map(itemOf) });

/** Requests of these operations, one folder per tag. */
const byTag = (own) =>
  document.tags
    .map(({ name, description }) => {
      const tagged = own.filter(({ tags }) => tags.includes(name));
      const steps = tagged.map(({ operationId, summary }) => ({
        operation: operationId,
        name: summary.replace(/\.$/, ''),
      }));
      return folderOf({ name, description, steps });
    })
    .filter(({ item }) => item.length > 0);

/** Ids and other values that scripts save for later requests. */
function savedByScripts() {
  const scripts = folders.flatMap(({ steps }) => steps.map(({ test = '' }) => test)).join();
  const names = scripts.matchAll(/collectionVariables\.set\(\s*'(\w+)'/g);
  const known = variables.map(({ key }) => key);
  return [...new Set([...names].map(([, key]) => key))]
    .filter((key) => !known.includes(key))
    .map((key) => ({ key }));
}

const allVariables = [...variables, ...savedByScripts()];

/** A run sends generated requests that change nothing and whose ids an earlier request saves. */
function canRun(operation) {
  const url = JSON.stringify(requestOf(operation, {}, schemas).url);
  const needed = [...url.matchAll(/{{(\w+)}}/g)].map(([, key]) => key);
  return operation.method === 'GET' && needed.every((name) => allVariables.some(({ key }) => key === name));
}

const used = new Set([...folders, cleanUp].flatMap(({ steps }) => steps.map(({ operation }) => operation)));
const generated = operations.filter(({ operationId }) => !used.has(operationId));
const { true: run = [], false: notRun = [] } = Object.groupBy(generated, canRun);

const collection = {
  info: {
    name: 'Vitrine',
    description: `Every operation of the Vitrine API. Set \`admin_password\` (and \`base_url\`, \`admin_email\` where they differ), then press Run. The run saves tokens and ids in the variables of the collection and removes what it created.

Without Postman: \`npx newman run postman/vitrine.postman_collection.json --env-var admin_password=…\``,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{access_token}}', type: 'string' }] },
  event: [
    script('test', [
      "pm.test('has a request id', () => pm.response.to.have.header('X-Request-Id'));",
      'if (pm.response.code >= 400) {',
      "  pm.test('a problem has a code', () => pm.expect(pm.response.json().code).to.be.a('string'));",
      '}',
    ]),
  ],
  variable: allVariables.map(({ key, value = '', secret = false, description }) => ({
    key,
    value,
    type: secret ? 'secret' : 'string',
    ...(description !== undefined && { description }),
  })),
  item: [
    ...folders.map(folderOf),
    {
      name: 'Other requests',
      description: 'Generated from openapi.json. They use the ids that the run saved.',
      item: byTag(run),
    },
    folderOf(cleanUp),
    {
      name: 'Not part of a run',
      description:
        'Generated from openapi.json. They change something, or need an id that the run does not save.',
      item: byTag(notRun),
    },
  ].filter(({ item }) => item.length > 0),
};
writeFileSync(join(folder, 'postman/vitrine.postman_collection.json'), `${json(collection)}\n`);
