/** Folder errors of the system, by code or by the output of a program such as initdb. */
const unwritable = /\b(EROFS|EACCES|EPERM)\b|Read-only file system|Permission denied/;
const full = /\b(ENOSPC|EDQUOT)\b|No space left on device|Disk quota exceeded/;

/** Describes why a local start failed; for errors of the system it names the variable to change. */
export function startFailure(error: unknown, dataDir: string): string {
  const { message, code = '', path = '' } = error as NodeJS.ErrnoException;
  const text = `${code} ${message}`;
  const folder = dataDir === '' ? 'the data folder' : dataDir;
  if (full.test(text)) {
    return `The disk of ${folder} is full. Free about 1 GB, or set DATA_DIR to a folder on another disk.\n${message}`;
  }
  const isOurs = path === '' || dataDir === '' || path.startsWith(dataDir);
  if (isOurs && unwritable.test(text)) {
    return `${folder} is not writable. Set DATA_DIR to a writable folder.\n${message}`;
  }
  return message;
}
