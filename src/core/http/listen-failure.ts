/** A `listen` error whose message names the variable to change. */
export class ListenFailure extends Error {}

interface Listening {
  port: number;
  host: string;
  portVariable: string;
  hostVariable?: string;
}

/** Returns a ListenFailure for an error about port or address, otherwise the original error. */
export function listenFailure(error: unknown, listening: Listening): unknown {
  const { port, host, portVariable, hostVariable = 'HOST' } = listening;
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken on ${host}. Set ${portVariable} to another one, or stop the program that has it.`,
    EACCES: `Port ${port} needs rights that this process does not have. Set ${portVariable} to one above 1023.`,
    EADDRNOTAVAIL: `This machine does not have the address ${host}. Set ${hostVariable} to one of its own.`,
    ENOTFOUND: `${host} is no address of this machine. Set ${hostVariable} to one of its own.`,
  };
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
  return reason === undefined ? error : new ListenFailure(reason, { cause: error });
}
