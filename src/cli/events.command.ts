import { Command } from 'commander';

const tailEvents = new Command('tail')
  .description('Prints events as they happen, until interrupted')
  .option('--after <seq>', 'begins after this event instead of with the next one')
  .option('--type <types>', 'only events of these types, separated by commas')
  .option('--no-follow', 'ends after the stored events; without --after it begins with the oldest one')
  .action(async (_: object, command: Command) => (await import('./events.actions.js')).tail(command));

export const eventsCommand = new Command('events')
  .description('Events of the platform')
  .addCommand(tailEvents);
