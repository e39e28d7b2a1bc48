import ts from 'typescript';
import type { Rule } from './architecture.js';
import { parse, type Source } from './module-graph.js';

/** Tables with rights, and their columns that affect no right. */
const rightsTables: Record<string, readonly string[]> = {
  users: ['last_sign_in_at', 'password_hash', 'links_void_before'],
  sessions: ['counter', 'rotated_at', 'last_used_at'],
  grants: [],
  embed_revocations: [],
  groups: ['name', 'description', 'external_id', 'updated_at'],
  group_edges: [],
  group_closure: [],
};
const entities: Record<string, string> = {
  User: 'users',
  Grant: 'grants',
  Session: 'sessions',
  EmbedRevocation: 'embed_revocations',
  Group: 'groups',
  GroupEdge: 'group_edges',
  GroupClosure: 'group_closure',
};
/** New users and sessions are not cached; a new group is empty. */
const newRowsGiveNothing = new Set(['users', 'sessions', 'groups']);
const removals = new Set([
  'delete',
  'remove',
  'softDelete',
  'softRemove',
  'deleteBatch',
  'deleteInBatches',
  'deleteExpired',
]);
const additions = new Set(['insert', 'insertRow']);
const changes = new Set(['update', 'upsert', 'save']);

/** Files that remove such rows and change no right, with the reason. */
const exempt: Record<string, string> = {
  'src/auth/sessions/session-cleanup.service.ts': 'deletes sessions that ended or expired long ago',
};

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isHarmless = (table: string, columns: readonly string[] | undefined): boolean =>
  columns?.every((column) => rightsTables[table]?.includes(column)) === true;

/** The columns that an object literal sets, or undefined if unknown. */
function columnsSet(node: ts.Expression | undefined): string[] | undefined {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined;
  const names = node.properties.map(({ name }) => (name && ts.isIdentifier(name) ? name.text : undefined));
  return names.every((name) => name !== undefined) ? names.map(snakeCase) : undefined;
}

const statement = /\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)(?:\s+SET\s+(.*?)(?:\bWHERE\b|$))?/gis;

function writesInSql(text: string): boolean {
  return [...text.matchAll(statement)].some(([, verb = '', table = '', set]) => {
    if (rightsTables[table] === undefined) return false;
    if (/^INSERT/i.test(verb)) return !newRowsGiveNothing.has(table);
    const columns = set && [...set.matchAll(/(\w+)\s*=/g)].map(([, column = '']) => column);
    return !isHarmless(table, columns || undefined);
  });
}

function writesByCall({ expression, arguments: args }: ts.CallExpression): boolean {
  const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
  const table = args
    .slice(0, 2)
    .map((arg) => (ts.isIdentifier(arg) ? entities[arg.text] : undefined))
    .find((found) => found !== undefined);
  if (table === undefined) return false;
  if (additions.has(name)) return !newRowsGiveNothing.has(table);
  return removals.has(name) || (changes.has(name) && !isHarmless(table, columnsSet(args[2])));
}

interface Unit {
  name: string;
  writesRights: boolean;
  publishes: boolean;
  calls: Set<string>;
}

/** Whether a function, or the top level of a file, writes rights and publishes changes. */
function analyze(name: string, node: ts.Node, isOwnUnit: (node: ts.Node) => boolean): Unit {
  const unit: Unit = { name, writesRights: false, publishes: false, calls: new Set() };
  const visit = (inner: ts.Node): void => {
    if (inner !== node && isOwnUnit(inner)) return;
    if (ts.isStringLiteralLike(inner) || ts.isTemplateExpression(inner)) {
      unit.writesRights ||= writesInSql(ts.isTemplateExpression(inner) ? inner.getText() : inner.text);
    }
    if (ts.isCallExpression(inner)) {
      const { expression } = inner;
      const called = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
      unit.calls.add(called);
      unit.writesRights ||= writesByCall(inner);
      unit.publishes ||= /\bchanges\.publish$/.test(expression.getText());
    }
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return unit;
}

const isNamedFunction = (node: ts.Node): node is ts.FunctionDeclaration | ts.MethodDeclaration =>
  ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);

/** Functions and methods by their names, functions in top-level constants too, and the rest of the file as one. */
function unitsOf(source: Source): Unit[] {
  const file = parse(source);
  const own = new Map<ts.Node, string>();
  const find = (node: ts.Node): void => {
    if (isNamedFunction(node)) {
      own.set(node, node.name?.getText() ?? '');
      return;
    }
    const isFunction =
      ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer);
    if (isFunction) own.set(node, node.name.getText());
    else ts.forEachChild(node, find);
  };
  find(file);
  const isOwnUnit = (node: ts.Node): boolean => own.has(node);
  return [
    ...[...own].map(([node, name]) => analyze(name, node, isOwnUnit)),
    analyze('the top level', file, isOwnUnit),
  ];
}

/**
 * Code that writes a rights table publishes the change, so that replicas drop what they have cached: the function itself
 * or one of its file that it calls. A function of `*.queries.ts` leaves that to each of its callers, and statements at the
 * top level to the file.
 */
export const writersOfRightsPublish: Rule = (sources) => {
  const files = sources
    .filter(({ path }) => !path.startsWith('src/core/database/migrations/'))
    .map((source) => ({ path: source.path, units: unitsOf(source) }));
  const isQueries = (path: string): boolean => path.endsWith('.queries.ts');
  const writing = new Set(
    files
      .filter(({ path }) => isQueries(path))
      .flatMap(({ units }) => units.filter(({ writesRights }) => writesRights).map(({ name }) => name)),
  );
  return files.flatMap(({ path, units }) => {
    if (isQueries(path) || exempt[path] !== undefined) return [];
    const publishing = new Set(units.filter(({ publishes }) => publishes).map(({ name }) => name));
    const isPublished = ({ name, publishes, calls }: Unit): boolean =>
      publishes ||
      (name === 'the top level' ? publishing.size > 0 : [...calls].some((called) => publishing.has(called)));
    return units
      .filter(({ writesRights, calls }) => writesRights || [...calls].some((called) => writing.has(called)))
      .filter((unit) => !isPublished(unit))
      .map(({ name }) => `${path}: ${name} writes a rights table and does not publish the change`);
  });
};
