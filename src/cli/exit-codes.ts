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
  0  success
  1  failure: the sync or a check of the doctor failed, or an unexpected error occurred
  2  usage error: an option, an argument or a setting is invalid
  3  rejected: the resource does not exist or already exists, or a value is invalid
  4  the database is unavailable, or migrations are pending`;

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
