import { crc32, deflateSync } from 'node:zlib';
import { themes, type Row } from '../embed/demo-data.js';
import type { EffectiveIdentity } from '../embed/embed-token.js';
import type { ExportRequest } from './export-request.js';

interface Content {
  name: string;
  /** Name of the demo data. */
  data: string;
  request: ExportRequest;
  identity: EffectiveIdentity | undefined;
  rows: Row[];
}

const LINES_ON_PAGE = 50;

/** The exported file: it names report, format, pages and effective identity, and has the rows of that identity. */
export function exportFile(content: Content): Buffer {
  const lines = [...heading(content), '', ...table(content)];
  const { format } = content.request;
  if (format === 'PDF' || format === 'ACCESSIBLEPDF') return pdf(lines);
  if (format === 'PNG' && content.request.pages.length === 1) return png(lines);
  return Buffer.from([...lines, ''].join('\r\n'));
}

function heading({ name, request, identity }: Content): string[] {
  const { username, roles = [], customData } = identity ?? {};
  const states = request.pages.flatMap(({ bookmark }) => bookmark?.state ?? bookmark?.name ?? []);
  return [
    `Report: ${name}`,
    `Format: ${request.format}`,
    `Pages: ${request.pages.map((page) => page.name).join(', ')}`,
    `View: ${[...new Set(states)].join(', ') || 'default'}`,
    `Effective identity: ${username ?? 'none'}`,
    `Roles: ${roles.join(', ') || 'none'}`,
    ...(customData === undefined ? [] : [`Custom data: ${customData}`]),
  ];
}

function table({ data, rows }: Content): string[] {
  const theme = themes[data] ?? themes.sales!;
  const { category, series, detail, person, count, measure } = theme;
  const lines = rows.map((row) =>
    [row.month, row.category, row.series, row.detail, row.person, row.count, row.amount].join(','),
  );
  return [['Month', category, series, detail, person, count, measure].join(','), ...lines];
}

/** A PDF file with uncompressed text, so that tests can search it. */
function pdf(lines: string[]): Buffer {
  const sheets = Array.from({ length: Math.ceil(lines.length / LINES_ON_PAGE) }, (_, index) =>
    lines.slice(index * LINES_ON_PAGE, (index + 1) * LINES_ON_PAGE),
  );
  const kids = sheets.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${sheets.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...sheets.flatMap((sheet, index) => sheetObjects(sheet, 5 + index * 2)),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + end, 'latin1');
}

function sheetObjects(lines: string[], stream: number): string[] {
  const shown = lines.map((line) => {
    const ascii = line.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[\\()]/g, String.raw`\$&`);
    return `(${ascii}) Tj T*`;
  });
  const body = `BT /F1 10 Tf 14 TL 40 800 Td\n${shown.join('\n')}\nET`;
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${stream} 0 R >>`,
    `<< /Length ${body.length} >>\nstream\n${body}\nendstream`,
  ];
}

/** A plain image whose text chunk has the lines. */
function png(lines: string[]): Buffer {
  const [width, height] = [640, 360];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits of gray.
  header.set([8, 0, 0, 0, 0], 8);
  const pixels = Buffer.alloc((width + 1) * height, 0xee);
  for (let row = 0; row < height; row += 1) pixels[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${lines.join('\n')}`)),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
