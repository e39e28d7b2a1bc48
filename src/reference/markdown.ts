/** First line of a generated file, which names the source to edit. */
export const generatedFrom = (source: string): string =>
  `<!-- Generated from ${source} by \`npm run generate\`. Do not edit. -->`;

/** A Markdown table in Prettier's format: every column as wide as its widest cell. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', String.raw`\|`)));
  const widths = header.map((_, column) => Math.max(3, ...lines.map((row) => row[column]?.length ?? 0)));
  const written = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [first = [], ...others] = lines;
  return [first, widths.map((width) => '-'.repeat(width)), ...others].map(written).join('\n');
}
