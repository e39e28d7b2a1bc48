/** Stable exit codes for scripts. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  unavailable: 4,
} as const;

export const exitCodesHelp = `
Exit codes:
  0  done
  1  it went wrong: the sync or a check of the doctor failed, or something unexpected happened
  2  wrong use: an option, an argument or the configuration
  3  refused: there is no such thing, it is there already, or a value is not acceptable
  4  the database cannot be reached, or its migrations are pending`;

/** Ends the command with an exit code and a message that names the required action. */
export class Failure extends Error {
  constructor(
    readonly exitCode: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
