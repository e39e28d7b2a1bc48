import { crc32 } from 'node:zlib';
import type { Report } from '../content/model.js';

/** The file of a report: a `.pbix` with its layout, or an `.rdl`. */
export function reportFile(report: Report): { extension: string; bytes: Buffer } {
  if (report.reportType === 'PaginatedReport') {
    const xml = '<?xml version="1.0" encoding="utf-8"?>\n<Report><ReportSections/></Report>\n';
    return { extension: '.rdl', bytes: Buffer.from(xml) };
  }
  const sections = report.pages.map(({ name, displayName }) => ({ name, displayName, visualContainers: [] }));
  return { extension: '.pbix', bytes: zipOf('Report/Layout', JSON.stringify({ id: 0, sections })) };
}

/** A zip file with one uncompressed entry. */
function zipOf(name: string, text: string): Buffer {
  const [path, data] = [Buffer.from(name), Buffer.from(text)];
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt32LE(crc32(data), 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(data.length, 18);
  fields.writeUInt16LE(path.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, path, data]);
  const central = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([20, 0]),
    fields,
    Buffer.alloc(14),
    path,
  ]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\u0005\u0006'), end]);
}
