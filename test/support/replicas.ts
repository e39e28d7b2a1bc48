import { Client } from './client.js';
import { type Application, startApplication } from './application.js';
import { type Program, startProgramOn } from './program.js';
import type { Service } from './service.js';

export interface InProcessReplica extends Application {
  /** The same user, calling this replica. */
  as: (client: Client) => Client;
}

/** A second application in the test process: it shares the database, the emulator and the clock, but no memory. */
export async function startInProcessReplica({
  environment,
  clock,
}: Pick<Service, 'environment' | 'clock'>): Promise<InProcessReplica> {
  const application = await startApplication(environment, clock);
  return { ...application, as: ({ token }) => new Client(application.url, token) };
}

export interface ReplicaProcess extends Program {
  /** Without a token. */
  api: Client;
}

export interface ReplicaProcesses {
  all: [ReplicaProcess, ...ReplicaProcess[]];
  close: () => Promise<void>;
}

/** The built service as a separate process, with these variables and a free port. Resolves when it is ready. */
export async function startReplicaProcess(environment: Record<string, string>): Promise<ReplicaProcess> {
  const program = await startProgramOn(environment, 'pipe');
  return { ...program, api: new Client(program.url) };
}

/** Processes of the built service that share the database, emulator and mailbox of `service`. */
export async function startReplicaProcesses(
  { environment }: Pick<Service, 'environment'>,
  count: number,
): Promise<ReplicaProcesses> {
  const all = await Promise.all(Array.from({ length: count }, () => startReplicaProcess(environment)));
  const close = async (): Promise<void> => {
    await Promise.all(all.map((replica) => replica.close()));
  };
  return { all: all as [ReplicaProcess, ...ReplicaProcess[]], close };
}
