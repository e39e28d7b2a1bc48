import { describe, expect, test } from '@jest/globals';
import { asRouted, rows } from './routes.table.js';
import { operations } from './support/openapi-operations.js';

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const statusesOf = new Map(operations.map((each) => [nameOf(each), Object.keys(each.responses)]));
const declaring = (status: string): string[] =>
  operations.filter(({ responses }) => status in responses).map(nameOf);

describe('openapi.json declares', () => {
  test('every status that the table of routes contains', () => {
    const undeclared = rows.flatMap((row) => {
      const name = asRouted(row).replaceAll(/:(\w+)/g, '{$1}');
      const declared = statusesOf.get(name);
      if (declared === undefined) return [];
      const statuses = [...new Set(Object.values(row.statuses))].map(String);
      return statuses.filter((status) => !declared.includes(status)).map((status) => `${name}: ${status}`);
    });
    expect(undeclared).toEqual([]);
  });

  test('304 and If-None-Match for each response with an ETag, and for no other', () => {
    const versioned = operations.filter(({ responses }) => 'ETag' in (responses['200']?.headers ?? {}));
    const conditional = operations.filter(({ parameters = [] }) =>
      parameters.some(({ name }) => name === 'If-None-Match'),
    );
    expect(versioned.length).toBeGreaterThan(40);
    expect(conditional.map(nameOf)).toEqual(versioned.map(nameOf));
    expect(declaring('304')).toEqual(versioned.map(nameOf));
  });

  test('404 for ids in a query or a body, too', () => {
    const unnamed = operations.filter(({ path, responses }) => !path.includes('{') && '404' in responses);
    expect(unnamed.map(nameOf).toSorted()).toEqual([
      'GET /api/access/explain',
      'GET /api/access/review',
      'POST /api/embed-grants/revoke',
    ]);
  });

  test('410 for events and exports that are deleted after some time', () => {
    expect(declaring('410').toSorted()).toEqual([
      'GET /api/events',
      'GET /api/exports/{id}/file',
      'POST /api/exports/{id}/tickets',
    ]);
  });

  test('409 for reads that depend on a state, and Retry-After with each 409', () => {
    const reads = declaring('409').filter((name) => name.startsWith('GET'));
    expect(reads.toSorted()).toEqual([
      'GET /api/exports/{id}/file',
      'GET /api/usage/groups/{id}',
      'GET /api/usage/people/{id}',
    ]);
    const conflicts = operations.flatMap(({ responses }) => responses['409'] ?? []);
    expect(conflicts.filter(({ headers = {} }) => !('Retry-After' in headers))).toEqual([]);
  });
});
