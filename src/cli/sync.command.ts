import { Command } from 'commander';

export const syncCommand = new Command('sync')
  .description('Syncs the catalogue with Power BI, waits for the result and shows the progress')
  .action(async (_: object, command: Command) => (await import('./sync.actions.js')).sync(command));
