export interface Guess {
  /** The first is the emulator's default. */
  values: readonly [string, ...string[]];
  /**
   * `observed`: reported by third parties. `believed`: common knowledge, not verified. `assumed`: the emulator's
   * assumption.
   */
  certainty: 'observed' | 'believed' | 'assumed';
  source: string;
  about: string;
}
