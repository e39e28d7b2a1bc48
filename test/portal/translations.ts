import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const source = fileURLToPath(new URL('../../packages/portal/src/', import.meta.url));

/** A text of the portal's source, with the file and line that contain it. */
export interface Text {
  text: string;
  at: string;
}

/** Attributes of components that people read or hear. */
const readable =
  /^(label|title|placeholder|description|alt|aria-label|legend|heading|hint|empty|none|confirm|action|error|nothingFoundMessage)$/;
const hasWord = /\p{L}{2,}/u;

const literal = (node: ts.Node | undefined): string | undefined =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;

/** Text literals of an expression: of both branches of a condition, too. */
function literals(node: ts.Node): string[] {
  if (ts.isParenthesizedExpression(node)) return literals(node.expression);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(literals);
  if (ts.isTemplateExpression(node)) return [node.getText()];
  const text = literal(node);
  return text === undefined ? [] : [text];
}

function calledName(node: ts.CallExpression): string {
  const { expression } = node;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

/** Keys and untranslated texts of one file. */
export function scan(name: string, code: string): { keys: Text[]; untranslated: Text[] } {
  const keys: Text[] = [];
  const untranslated: Text[] = [];
  const file = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const add = (list: Text[], node: ts.Node, text: string) =>
    list.push({ text, at: `${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}` });
  const addUntranslated = (node: ts.Node, texts: string[]) =>
    texts.filter((text) => hasWord.test(text)).forEach((text) => add(untranslated, node, text));

  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ['t', 'msg'].includes(calledName(node))) {
      const [first] = node.arguments;
      if (first !== undefined) literals(first).forEach((text) => add(keys, node, text));
    } else if (ts.isJsxText(node)) {
      addUntranslated(node, [node.text.trim()]);
    } else if (ts.isJsxExpression(node) && ts.isJsxElement(node.parent) && node.expression !== undefined) {
      addUntranslated(node, literals(node.expression));
    } else if (ts.isJsxAttribute(node)) {
      const attribute = node.name.getText();
      const value =
        node.initializer !== undefined && ts.isJsxExpression(node.initializer)
          ? node.initializer.expression
          : node.initializer;
      if (attribute === 'i18nKey') add(keys, node, literal(value) ?? '');
      else if (readable.test(attribute) && value !== undefined) addUntranslated(node, literals(value));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { keys, untranslated };
}

export function scanPortal(): { keys: Text[]; untranslated: Text[] } {
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((name) => !name.endsWith('schema.d.ts'));
  const found = files.map((name) => scan(name, readFileSync(join(source, name), 'utf8')));
  return {
    keys: found.flatMap(({ keys }) => keys),
    untranslated: found.flatMap(({ untranslated }) => untranslated),
  };
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;

/** The German files, by name. */
export const germanFiles = (): [string, Record<string, string>][] =>
  globSync('i18n/de/*.json', { cwd: source }).map((name) => [name, readJson(join(source, name))]);

export const english = (): Record<string, string> => readJson(join(source, 'i18n/en.json'));
