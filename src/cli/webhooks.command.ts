import { Command } from 'commander';
import { collect } from './options.js';

const actions = () => import('./webhooks.actions.js');

const list = new Command('list')
  .description('Lists webhooks')
  .action(async (_: object, command: Command) => (await actions()).list(command));

const add = new Command('add')
  .description('Adds a webhook and prints its signing secret, which is shown only once')
  .argument('<url>')
  .option('--type <type>', 'a type of event; repeatable; all types without this option', collect, [])
  .action(async (url: string, _: object, command: Command) => (await actions()).add(command, url));

const ping = new Command('ping')
  .description('Sends a test message to a webhook and prints the result')
  .argument('<id>')
  .action(async (id: string, _: object, command: Command) => (await actions()).ping(command, id));

const deliveries = new Command('deliveries')
  .description('Lists the last attempts to deliver to a webhook, newest first')
  .argument('<id>')
  .option('--limit <count>', 'number of attempts, 1 to 1000', '50')
  .action(async (id: string, _: object, command: Command) => (await actions()).deliveries(command, id));

const redeliver = new Command('redeliver')
  .description('Sends the event of a delivery again, or with --from and --to the events of a period')
  .argument('<id>')
  .argument('[delivery]', 'id of the delivery')
  .option('--from <time>', 'events at or after this time, such as 2026-11-23T08:00:00Z')
  .option('--to <time>', 'events before this time, or until the end of this day')
  .action(async (id: string, delivery: string | undefined, _: object, command: Command) =>
    (await actions()).redeliver(command, id, delivery),
  );

const remove = new Command('remove')
  .description('Deletes a webhook with its secrets and its deliveries')
  .argument('<id>')
  .action(async (id: string, _: object, command: Command) => (await actions()).remove(command, id));

const roll = new Command('roll')
  .description('Adds a signing secret and prints it; for 24 hours the previous one signs as well')
  .argument('<id>')
  .action(async (id: string, _: object, command: Command) => (await actions()).roll(command, id));

export const webhooksCommand = new Command('webhooks')
  .description('Manages webhooks')
  .addCommand(list)
  .addCommand(add)
  .addCommand(ping)
  .addCommand(deliveries)
  .addCommand(redeliver)
  .addCommand(remove)
  .addCommand(roll);
