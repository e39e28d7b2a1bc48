import { describe, expect, test } from '@jest/globals';
import { saferMode } from './local-checks.js';

const reader = { uid: 10_001, groups: [10_001, 2000] };

describe('saferMode', () => {
  test.each([
    { file: 'of the process', mode: 0o600, uid: 10_001, gid: 10_001, safer: undefined },
    { file: 'of the process, for its group', mode: 0o640, uid: 10_001, gid: 10_001, safer: '600' },
    { file: 'of the process, for all', mode: 0o644, uid: 10_001, gid: 10_001, safer: '600' },
    { file: 'of a Secret with an fsGroup', mode: 0o440, uid: 0, gid: 2000, safer: undefined },
    { file: 'of a Secret with an fsGroup, for all', mode: 0o444, uid: 0, gid: 2000, safer: '640' },
    { file: 'of another owner, writable by the group', mode: 0o660, uid: 0, gid: 2000, safer: '640' },
    { file: 'of another owner, for a group of others', mode: 0o640, uid: 0, gid: 3000, safer: '600' },
  ])('a file $file ($mode): $safer', ({ mode, uid, gid, safer }) => {
    expect(saferMode({ mode: 0o100_000 | mode, uid, gid }, reader)).toBe(safer);
  });
});
