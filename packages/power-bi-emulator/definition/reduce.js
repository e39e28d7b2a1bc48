// Reduces Microsoft's definition to what the emulator serves:
//   node packages/power-bi-emulator/definition/reduce.js path/to/swagger.json
import { readFileSync, writeFileSync } from 'node:fs';

/** Operations that the emulator answers, by path below /v1.0/myorg. */
const served = {
  '/GenerateToken': ['post'],
  '/RefreshUserPermissions': ['post'],
  '/capacities': ['get'],
  '/datasets/{datasetId}': ['get'],
  '/groups': ['get', 'post'],
  '/groups/{groupId}': ['get'],
  '/groups/{groupId}/AssignToCapacity': ['post'],
  '/groups/{groupId}/users': ['get', 'post', 'put'],
  '/groups/{groupId}/users/{user}': ['delete'],
  '/groups/{groupId}/datasets': ['get'],
  '/groups/{groupId}/datasets/{datasetId}': ['get'],
  '/groups/{groupId}/datasets/{datasetId}/GenerateToken': ['post'],
  '/groups/{groupId}/datasets/{datasetId}/refreshes': ['get', 'post'],
  '/groups/{groupId}/datasets/{datasetId}/refreshes/{refreshId}': ['get', 'delete'],
  '/groups/{groupId}/reports': ['get'],
  '/groups/{groupId}/reports/GenerateToken': ['post'],
  '/groups/{groupId}/reports/{reportId}': ['get'],
  '/groups/{groupId}/reports/{reportId}/ExportTo': ['post'],
  '/groups/{groupId}/reports/{reportId}/GenerateToken': ['post'],
  '/groups/{groupId}/reports/{reportId}/exports/{exportId}': ['get'],
  '/groups/{groupId}/reports/{reportId}/exports/{exportId}/file': ['get'],
  '/groups/{groupId}/reports/{reportId}/pages': ['get'],
  '/profiles': ['get', 'post'],
  '/profiles/{profileId}': ['get', 'put', 'delete'],
  '/admin/groups': ['get'],
  '/admin/groups/{groupId}': ['get'],
  '/admin/groups/{groupId}/reports': ['get'],
  '/admin/profiles': ['get'],
  '/admin/reports': ['get'],
  '/admin/workspaces/getInfo': ['post'],
  '/admin/workspaces/modified': ['get'],
  '/admin/workspaces/scanResult/{scanId}': ['get'],
  '/admin/workspaces/scanStatus/{scanId}': ['get'],
};

const source = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const paths = {};
for (const [path, methods] of Object.entries(served)) {
  const operations = source.paths[`/v1.0/myorg${path}`] ?? {};
  const missing = methods.filter((method) => !operations[method]);
  if (missing.length > 0) throw new Error(`The definition has no ${missing.join(', ')} of ${path}`);
  paths[path] = Object.fromEntries(methods.map((method) => [method, plain(operations[method])]));
}

const definitions = {};
collect(paths);
const reduced = {
  swagger: source.swagger,
  info: source.info,
  basePath: '/v1.0/myorg',
  'x-source': 'github.com/microsoft/PowerBI-CSharp, sdk/swaggers/swagger.json, MIT, see README.md',
  paths,
  definitions: Object.fromEntries(
    Object.entries(definitions).toSorted(([one], [other]) => one.localeCompare(other)),
  ),
};
writeFileSync(new URL('definition.json', import.meta.url), `${JSON.stringify(reduced, null, 1)}\n`);

/** Without prose, which is most of it; examples stay as they are. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, each]) => !isProse(name, each));
  return Object.fromEntries(
    kept.map(([name, each]) => [name, name === 'x-ms-examples' ? each : plain(each)]),
  );
}

function isProse(name, value) {
  if (['summary', 'tags', 'consumes', 'produces', 'deprecated', 'x-ms-enum', 'externalDocs'].includes(name))
    return true;
  return name === 'description' && typeof value === 'string';
}

/** Takes along what is referred to, and what that refers to. */
function collect(value) {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    if (name === '$ref') take(String(each).replace('#/definitions/', ''));
    else if (name !== 'x-ms-examples') collect(each);
  }
}

function take(name) {
  if (definitions[name]) return;
  definitions[name] = plain(source.definitions[name]);
  collect(definitions[name]);
}
