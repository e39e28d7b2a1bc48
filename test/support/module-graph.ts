import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface Import {
  /** Both as paths from the root of the repository; a package as its name. */
  from: string;
  to: string;
  /** It does not exist at run time. */
  typeOnly: boolean;
  isDynamic?: boolean;
  names: string[];
}

export interface Source {
  path: string;
  text: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The TypeScript files below a folder of the repository. */
export const filesOf = (folder: string): Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The same without specs. */
export const sourcesOf = (folder: string): Source[] =>
  filesOf(folder).filter(({ path }) => !path.endsWith('.spec.ts'));

export const parse = ({ path, text }: Source): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

const targetOf = (from: string, specifier: string): string =>
  specifier.startsWith('.') ? normalize(join(dirname(from), specifier)).replace(/\.js$/, '.ts') : specifier;

function namesOf(clause: ts.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
  return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause?.namedBindings;
  if (clause?.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}

/** What one file imports and re-exports, dynamic imports included. */
export function importsOf(source: Source): Import[] {
  const found: Import[] = [];
  const add = (
    specifier: ts.Expression,
    typeOnly: boolean,
    names: string[] = [],
    isDynamic = false,
  ): void => {
    if (!ts.isStringLiteralLike(specifier)) return;
    found.push({ from: source.path, to: targetOf(source.path, specifier.text), typeOnly, names, isDynamic });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, isTypeOnly(node.importClause), namesOf(node.importClause));
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      add(node.moduleSpecifier, node.isTypeOnly);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      if (node.arguments[0] !== undefined) add(node.arguments[0], false, [], true);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(source));
  return found;
}

/** Every identifier and string of a file, comments left out. */
export function wordsOf(source: Source): Set<string> {
  const words = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) words.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(parse(source));
  return words;
}

/** Classes that are injected as `@InjectRepository(Entity)`. */
export function repositoriesOf(source: Source): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isDecorator(node) && ts.isCallExpression(node.expression)) {
      const { expression, arguments: args } = node.expression;
      if (expression.getText() === 'InjectRepository' && args[0]) found.push(args[0].getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(source));
  return found;
}

/** Each class that Nest creates, with the number of dependencies that it injects. */
export function injectionsOf(source: Source): [name: string, count: number][] {
  const found: [string, number][] = [];
  for (const node of parse(source).statements) {
    if (!ts.isClassDeclaration(node) || ts.getDecorators(node) === undefined) continue;
    const constructors = node.members.filter((member) => ts.isConstructorDeclaration(member));
    found.push([
      node.name?.text ?? '',
      Math.max(0, ...constructors.map(({ parameters }) => parameters.length)),
    ]);
  }
  return found;
}

/** The first cycle of runtime imports, or undefined. */
export function cycleIn(imports: readonly Import[]): string[] | undefined {
  const real = imports.filter(({ typeOnly }) => !typeOnly);
  const next = Map.groupBy(real, ({ from }) => from);
  const done = new Set<string>();
  const findCycle = (path: string, trail: string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const { to } of next.get(path) ?? []) {
      const cycle = findCycle(to, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of next.keys()) {
    const cycle = findCycle(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
