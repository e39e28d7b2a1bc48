import { readFileSync } from 'node:fs';

const block = /(<!-- Generated from .*-->\n\n)[^]*?(\n\n<!-- End of the generated text\. -->)/;

/** The document with this generated text, which is between two comments. */
export function withGenerated(path: string, text: string): string {
  const document = readFileSync(path, 'utf8');
  if (!block.test(document)) throw new Error(`${path} has no comments around its generated text`);
  return document.replace(block, (_all, start: string, end: string) => `${start}${text}${end}`);
}

/** A Markdown table in Prettier's format: every column as wide as its widest cell. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', String.raw`\|`)));
  const widths = header.map((_, column) => Math.max(3, ...lines.map((row) => row[column]?.length ?? 0)));
  const written = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [first = [], ...others] = lines;
  return [first, widths.map((width) => '-'.repeat(width)), ...others].map(written).join('\n');
}
