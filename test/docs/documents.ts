import { globSync, readFileSync } from 'node:fs';
import { marked, type Token, type Tokens } from 'marked';

/** A fenced block: the first word after the fence is the language, the rest is an annotation for the tests. */
export interface Block {
  language: string;
  info: string;
  text: string;
  line: number;
}

export interface Document {
  path: string;
  blocks: Block[];
  links: string[];
  anchors: string[];
  text: string;
}

/** GitHub's way from a heading to its anchor. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** What is read of a heading: without backticks and link targets. */
const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token ? plainText(token.tokens ?? []) : token.raw.replaceAll('`', '')))
    .join('');

/** A second heading of the same words gets a number. */
function anchorsOf(headings: readonly Tokens.Heading[]): string[] {
  const seen = new Map<string, number>();
  return headings.map(({ tokens }) => {
    const slug = slugOf(plainText(tokens));
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

export function parseDocument(path: string, text: string): Document {
  const document: Document = { path, blocks: [], links: [], anchors: [], text };
  const headings: Tokens.Heading[] = [];
  let searchedTo = 0;
  void marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'heading') headings.push(token as Tokens.Heading);
    if (token.type === 'link' || token.type === 'image') document.links.push((token as Tokens.Link).href);
    if (token.type !== 'code') return;
    const { lang = '', text: code } = token as Tokens.Code;
    const start = text.indexOf(`\`\`\`${lang}\n`, searchedTo);
    searchedTo = start + lang.length + code.length;
    const [, language = '', info = ''] = /^(\S*)\s*(.*)$/.exec(lang) ?? [];
    document.blocks.push({ language, info, text: code, line: text.slice(0, start).split('\n').length });
  });
  document.anchors = anchorsOf(headings);
  return document;
}

/** Every document of the repository, the README first. */
export const documents: readonly Document[] = globSync('**/*.md', {
  exclude: (name) => ['node_modules', 'dist', '.data', '.git'].includes(name),
})
  .toSorted((a, b) => Number(b === 'README.md') - Number(a === 'README.md') || a.localeCompare(b))
  .map((path) => parseDocument(path, readFileSync(path, 'utf8')));
