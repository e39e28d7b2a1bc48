import { Command, CommanderError } from 'commander';
import { doctorCommand } from './doctor.command.js';
import { eventsCommand } from './events.command.js';
import { exitCodes, exitCodesHelp } from './exit-codes.js';
import { grantsCommand } from './grants.command.js';
import { groupsCommand } from './groups.command.js';
import { inviteCommand } from './invite.command.js';
import { keysCommand } from './keys.command.js';
import { migrateCommand } from './migrate.command.js';
import { endWithReader } from './output.js';
import { serviceAccountsCommand } from './service-accounts.command.js';
import { syncCommand } from './sync.command.js';
import { usageCommand } from './usage.command.js';
import { usersCommand } from './users.command.js';
import { webhooksCommand } from './webhooks.command.js';

// Help, and commands without the service, load none of its modules: each action imports its own.
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

const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)];
for (const command of withAll(program)) command.exitOverride();

/** Commander has already printed its own errors. */
async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  const { reportFailure } = await import('./report-failure.js');
  return reportFailure(error, program.opts<{ json: boolean }>().json);
}

endWithReader();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await exitCodeOf(error);
}
