// Runs commands of the command line one after another in one process, which loads the service once.
import { Console } from 'node:console';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface Command {
  program: string;
  environment: Record<string, string>;
  args: readonly string[];
  input: string;
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** What a command finds in its own process: arguments, environment, streams and exit code. */
function prepare({ program, environment, args, input }: Command): {
  stdout: PassThrough;
  stderr: PassThrough;
} {
  const streams = { stdin: Readable.from([input]), stdout: new PassThrough(), stderr: new PassThrough() };
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  globalThis.console = new Console(streams.stdout, streams.stderr);
  process.argv = [process.execPath, program, ...args];
  process.env = { ...environment };
  process.exitCode = undefined;
  return streams;
}

let count = 0;

async function run(command: Command): Promise<Ended> {
  const { stdout, stderr } = prepare(command);
  const written = Promise.all([text(stdout), text(stderr)]);
  count += 1;
  // Evaluates the program again, but not the modules that it imports.
  await import(`${command.program}?run=${count}`);
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code: Number(process.exitCode ?? 0), stdout: out, stderr: err };
}

let last: Promise<void> = Promise.resolve();

process.on('message', (command: Command) => {
  last = last.then(async () => void process.send?.(await run(command)));
});
process.on('disconnect', () => process.exit());
