import { Command, Option } from 'commander';

const actions = () => import('./users.actions.js');
const role = () => new Option('--role <role>', 'platform role').choices(['admin', 'member']);

const list = new Command('list')
  .description('Lists users')
  .addOption(role())
  .addOption(new Option('--status <status>', 'filter by status').choices(['active', 'disabled']))
  .action(async (_: object, command: Command) => (await actions()).list(command));

const create = new Command('create')
  .description('Creates an account without an invitation and prints a generated password')
  .argument('<email>')
  .option('--name <name>', 'default: the part of the email before the @')
  .addOption(role().default('member'))
  .option('--password-stdin', 'read the password from standard input')
  .action(async (email: string, _: object, command: Command) => (await actions()).create(command, email));

const email = new Command('email')
  .description('Changes the email address of a user; both addresses receive an email')
  .argument('<user>', 'email or id')
  .argument('<email>', 'the new address')
  .action(async (user: string, address: string, _: object, command: Command) =>
    (await actions()).changeEmail(command, user, address),
  );

const password = new Command('password')
  .description('Sets a new password, prints it, and ends all sessions: for a portal without a mail server')
  .argument('<user>', 'email or id')
  .option('--password-stdin', 'read the password from standard input')
  .action(async (user: string, _: object, command: Command) => (await actions()).setPassword(command, user));

const disable = new Command('disable')
  .description('Disables a user and ends all sessions')
  .argument('<user>', 'email or id')
  .action(async (user: string, _: object, command: Command) => (await actions()).disable(command, user));

const exportData = new Command('export')
  .description('Prints the personal data of a user as JSON')
  .argument('<user>', 'email or id')
  .action(async (user: string) => (await actions()).exportData(user));

export const usersCommand = new Command('users')
  .description('Manages users')
  .addCommand(list)
  .addCommand(create)
  .addCommand(email)
  .addCommand(password)
  .addCommand(disable)
  .addCommand(exportData);
