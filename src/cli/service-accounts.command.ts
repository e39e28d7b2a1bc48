import { Command, InvalidArgumentError, Option } from 'commander';
import { scopes } from '../core/http/principal.js';

const actions = () => import('./service-accounts.actions.js');

function days(given: string): number {
  if (!/^\d{1,3}$/.test(given)) throw new InvalidArgumentError('Use a whole number.');
  return Number(given);
}
const withDays = () =>
  new Option('--days <days>', 'days until the secret expires, 1 to 365').argParser(days).default(365);

const list = new Command('list')
  .description('Lists service accounts')
  .action(async (_: object, command: Command) => (await actions()).list(command));

const create = new Command('create')
  .description('Creates a service account and prints its secret, which is shown only once')
  .argument('<name>')
  .addOption(new Option('--role <role>', 'platform role').choices(['admin', 'member']).default('member'))
  .addOption(
    new Option('--scope <scope...>', 'rights outside /api; scim: provisioning of users and groups')
      .choices(scopes)
      .default([], 'none'),
  )
  .addOption(withDays())
  .action(async (name: string, _: object, command: Command) => (await actions()).create(command, name));

const rotate = new Command('rotate')
  .description('Adds a secret and prints it; the previous one stays valid until it expires or is removed')
  .argument('<id>')
  .addOption(withDays())
  .action(async (id: string, _: object, command: Command) => (await actions()).rotate(command, id));

const disable = new Command('disable')
  .description('Disables a service account; its tokens and secrets are rejected immediately')
  .argument('<id>')
  .action(async (id: string, _: object, command: Command) => (await actions()).disable(command, id));

export const serviceAccountsCommand = new Command('service-accounts')
  .description('Manages service accounts')
  .addCommand(list)
  .addCommand(create)
  .addCommand(rotate)
  .addCommand(disable);
