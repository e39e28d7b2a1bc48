import { Command, Option } from 'commander';

const exportDays = new Command('export')
  .description('Prints the figures of each report and day')
  .option('--from <day>', 'first day')
  .option('--to <day>', 'the day after the last one')
  .option('--days <count>', 'number of days before --to, instead of --from')
  .option('--exclude-admins', 'without what admins opened')
  .addOption(new Option('--format <format>').choices(['csv', 'ndjson']).default('csv'))
  .action(async (_: object, command: Command) => (await import('./usage.actions.js')).exportDays(command));

export const usageCommand = new Command('usage').description('Usage of reports').addCommand(exportDays);
