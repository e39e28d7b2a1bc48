import { spawnSync } from 'node:child_process';

/** With Debian's folders of programs for administrators. */
export const PATH = `${process.cwd()}/node_modules/.bin:${process.env.PATH}:/usr/sbin:/sbin`;

export const missingPrograms = (names: readonly string[]): string[] =>
  names.filter((name) => spawnSync('which', [name], { env: { PATH } }).status !== 0);
