import { Command } from 'commander';
import { collect } from './options.js';

const actions = () => import('./groups.actions.js');

const list = new Command('list')
  .description('Lists groups')
  .option('--q <text>', 'filter by a part of the name')
  .action(async (_: object, command: Command) => (await actions()).list(command));

const create = new Command('create')
  .description('Creates a group')
  .argument('<name>')
  .option('--description <text>')
  .action(async (name: string, _: object, command: Command) => (await actions()).create(command, name));

const remove = new Command('delete')
  .description('Deletes a group with its memberships and grants')
  .argument('<group>', 'name or id')
  .action(async (group: string, _: object, command: Command) => (await actions()).remove(command, group));

const members = new Command('members')
  .description('Lists the direct members of a group')
  .argument('<group>', 'name or id')
  .option('--effective', 'list all people of the group and of the groups in it, with their paths', false)
  .action(async (group: string, _: object, command: Command) => (await actions()).members(command, group));

const withMembers = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .argument('<group>', 'name or id')
    .argument('[users...]', 'emails of people, or ids of people and service accounts')
    .option('--group <group>', 'a group, by name or id; repeatable', collect, []);

const add = withMembers(
  'add',
  'Adds people, service accounts and groups to a group: all, or none if one fails',
).action(async (group: string, users: string[], _: object, command: Command) =>
  (await actions()).add(command, group, users),
);

const take = withMembers('remove', 'Removes direct members from a group, one after the other').action(
  async (group: string, users: string[], _: object, command: Command) =>
    (await actions()).take(command, group, users),
);

const repair = new Command('repair')
  .description(
    'Recomputes which groups are in which through other groups; the doctor shows whether it is needed',
  )
  .action(async (_: object, command: Command) => (await actions()).repair(command));

export const groupsCommand = new Command('groups')
  .description('Manages groups')
  .addCommand(list)
  .addCommand(create)
  .addCommand(remove)
  .addCommand(members)
  .addCommand(add)
  .addCommand(take)
  .addCommand(repair);
