const MAX_STEM = 120;
const FALLBACK = 'report';

/** Not allowed in file names on Windows, or not displayed as stored. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\\/:*?"<>|%;]/gu;
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A file name that every operating system accepts, from the name of a report and an extension with its dot. */
export function fileNameOf(name: string, extension: string): string {
  const characters = [...name.replaceAll(unsafe, ' ').replaceAll(/\s+/g, ' ')].slice(0, MAX_STEM);
  const stem = characters.join('').replaceAll(/^[\s.]+|[\s.]+$/g, '');
  if (stem === '') return FALLBACK + extension;
  return (reserved.test(stem) ? `${stem}_` : stem) + extension;
}

/** `Content-Disposition` of a download: an ASCII name for old clients, and the whole one (RFC 6266). */
export function attachment(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]/g, '_');
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
