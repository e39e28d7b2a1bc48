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
    EADDRINUSE: `Port ${port} is already in use on ${host}. Set ${portVariable} to another port, or stop the program that uses it.`,
    EACCES: `Port ${port} requires privileges that this process does not have. Set ${portVariable} to a port above 1023.`,
    EADDRNOTAVAIL: `The address ${host} is not available on this machine. Set ${hostVariable} to an address of this machine.`,
    ENOTFOUND: `${host} is not an address of this machine. Set ${hostVariable} to an address of this machine.`,
  };
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
  return reason === undefined ? error : new ListenFailure(reason, { cause: error });
}
