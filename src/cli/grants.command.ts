import { Command } from 'commander';

interface Options {
  workspace?: string;
  report?: string;
  user?: string;
  group?: string;
}

const actions = () => import('./grants.actions.js');

const requireOne =
  (first: keyof Options, second: keyof Options) =>
  (command: Command): void => {
    const options = command.optsWithGlobals<Options>();
    if ((options[first] === undefined) === (options[second] === undefined))
      command.error(`error: use either --${first} or --${second}`, { exitCode: 2 });
  };

/** Adds the options that name a workspace or a report. */
const onTarget = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option('--workspace <name or id>', 'the workspace')
    .option('--report <name or id>', 'a single report, in place of a workspace')
    .hook('preAction', requireOne('workspace', 'report'));

/** Adds the options that name a target and a holder. */
const ofHolder = (name: string, description: string): Command =>
  onTarget(name, description)
    .option('--user <email or id>', 'a person or service account')
    .option('--group <name or id>', 'a group, in place of a user')
    .hook('preAction', requireOne('user', 'group'));

const list = onTarget('list', 'Lists the active grants on a workspace or on a report')
  .option('--q <text>', "filter by a part of the holder's name or email address")
  .action(async (_: object, command: Command) => (await actions()).list(command));

const set = ofHolder('set', 'Grants a user or group a role, or changes it')
  .option('--role <role>', 'viewer or editor; on a workspace also manager', 'viewer')
  .option('--expires <time>', 'the last day as YYYY-MM-DD, or RFC 3339')
  .action(async (_: object, command: Command) => (await actions()).set(command));

const remove = ofHolder('remove', 'Removes the role that a user or group was granted').action(
  async (_: object, command: Command) => (await actions()).remove(command),
);

export const grantsCommand = new Command('grants')
  .description('Manages the grants of users and groups on workspaces and reports')
  .addCommand(list)
  .addCommand(set)
  .addCommand(remove);
