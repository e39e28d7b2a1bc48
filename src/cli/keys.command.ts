import { Command } from 'commander';
import { processVariables } from '../core/config/environment.js';
import { print } from './output.js';

const rotate = new Command('rotate')
  .description('Adds a new signing key; previous keys continue to verify tokens')
  .option('--file <path>', 'the private JWKS (default: JWT_KEYS_FILE)')
  .option('--keep <count>', 'number of keys to keep, including the new one', '3')
  .action(async (options: { file?: string; keep: string }, command: Command) => {
    const { file = processVariables().JWT_KEYS_FILE, keep } = options;
    if (file === undefined) command.error('Specify the file with --file or JWT_KEYS_FILE', { exitCode: 2 });
    if (!/^[1-9]\d?$/.test(keep)) command.error('--keep must be a number from 1 to 99', { exitCode: 2 });
    const { rotateKeys } = await import('./rotate-keys.js');
    const { added, dropped } = rotateKeys(file, Number(keep));
    const gone = dropped.map((kid) => `\nKey ${kid} was removed: tokens that it signed are rejected.`);
    const { json } = command.optsWithGlobals<{ json: boolean }>();
    print(
      json,
      { added, dropped },
      `Key ${added} is the new signing key: replicas sign with it after 3 minutes.${gone.join('')}`,
    );
  });

export const keysCommand = new Command('keys')
  .description('Manages the keys that sign access tokens')
  .addCommand(rotate);
