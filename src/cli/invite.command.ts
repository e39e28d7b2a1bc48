import { Command, Option } from 'commander';
import { collect } from './options.js';

export const inviteCommand = new Command('invite')
  .description('Invites a user, or gives the access to an existing user; the service sends the email')
  .argument('<email>')
  .option('--name <name>')
  .addOption(new Option('--role <role>', 'platform role').choices(['admin', 'member']).default('member'))
  .option(
    '--workspace <name or id[:role]>',
    'repeatable; the role is viewer, editor or manager; default: viewer',
    collect,
    [],
  )
  .option(
    '--report <name or id[:role]>',
    'repeatable; the role is viewer or editor; default: viewer',
    collect,
    [],
  )
  .option('--group <name or id>', 'repeatable', collect, [])
  .action(async (email: string, _: object, command: Command) =>
    (await import('./invite.actions.js')).invite(command, email),
  );
