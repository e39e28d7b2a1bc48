import { Command, CommanderError, Option } from 'commander';
import { exitCodes, exitCodesHelp, Failure } from './exit-codes.js';
import { grantsCommand } from './grants.command.js';
import { groupsCommand } from './groups.command.js';
import { inviteCommand } from './invite.command.js';
import { keysCommand } from './keys.command.js';
import { migrateCommand } from './migrate.command.js';
import { endWithReader } from './output.js';
import { serviceAccountsCommand } from './service-accounts.command.js';
import { usersCommand } from './users.command.js';
import { webhooksCommand } from './webhooks.command.js';

// Help, and commands without the service, load none of its modules: each action imports its own.

const doctorCommand = new Command('doctor')
  .description('Checks all dependencies of the service and reports what to do; changes nothing')
  .action(async (_: object, command: Command) => (await import('./doctor/examine.js')).doctor(command));

const syncCommand = new Command('sync')
  .description('Syncs the catalogue with Power BI, waits for the result and shows the progress')
  .action(async (_: object, command: Command) => (await import('./sync.actions.js')).sync(command));

const tailEvents = new Command('tail')
  .description('Prints events as they happen, until interrupted')
  .option('--after <seq>', 'begins after this event instead of with the next one')
  .option('--type <types>', 'only events of these types, separated by commas')
  .option('--no-follow', 'ends after the stored events; without --after it begins with the oldest one')
  .action(async (_: object, command: Command) => (await import('./events.actions.js')).tail(command));

const eventsCommand = new Command('events').description('Events of the platform').addCommand(tailEvents);

const exportDays = new Command('export')
  .description('Prints the figures of each report and day')
  .option('--from <day>', 'first day')
  .option('--to <day>', 'the day after the last one')
  .option('--days <count>', 'number of days before --to, instead of --from')
  .option('--exclude-admins', 'without what admins opened')
  .addOption(new Option('--format <format>').choices(['csv', 'ndjson']).default('csv'))
  .action(async (_: object, command: Command) => (await import('./usage.actions.js')).exportDays(command));

const usageCommand = new Command('usage').description('Usage of reports').addCommand(exportDays);

const program = new Command('node bin/vitrine.js')
  .description('Administers a Vitrine service. Reads the same environment as the service.')
  .option('--json', 'print one line of JSON instead of text', false)
  .addHelpText('afterAll', exitCodesHelp)
  .addCommand(migrateCommand)
  .addCommand(usersCommand)
  .addCommand(inviteCommand)
  .addCommand(groupsCommand)
  .addCommand(grantsCommand)
  .addCommand(serviceAccountsCommand)
  .addCommand(syncCommand)
  .addCommand(usageCommand)
  .addCommand(webhooksCommand)
  .addCommand(eventsCommand)
  .addCommand(keysCommand)
  .addCommand(doctorCommand);

const isJson = (): boolean => program.opts<{ json: boolean }>().json;

const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)];
for (const command of withAll(program)) {
  command.exitOverride();
  // With --json, `exitCodeOf` prints the error.
  const writeErr = (text: string): void => {
    if (!isJson()) process.stderr.write(text);
  };
  command.configureOutput({ writeErr });
}

/** A group of commands without a command prints its help in place of an error. */
const HELP = 'commander.help';

function usageFailure({ code, message }: CommanderError): Failure {
  const detail = code === HELP ? 'A command is missing' : message.replace(/^error: /, '').replace('\n', ' ');
  return new Failure(exitCodes.usage, 'usage', detail);
}

async function exitCodeOf(error: unknown): Promise<number> {
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return exitCodes.ok;
  // Commander has printed its own errors.
  if (isUsage && !isJson()) return exitCodes.usage;
  const { reportFailure } = await import('./report-failure.js');
  return reportFailure(isUsage ? usageFailure(error) : error, isJson());
}

endWithReader();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await exitCodeOf(error);
}
