import { Command } from 'commander';

export const doctorCommand = new Command('doctor')
  .description('Checks all dependencies of the service and reports what to do; changes nothing')
  .action(async (_: object, command: Command) => (await import('./doctor/examine.js')).doctor(command));
