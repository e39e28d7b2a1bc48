import { Command } from 'commander';
import { signingKeysFile } from '../core/config/keys.config.js';
import { print } from './output.js';
import { rotateKeys } from './rotate-keys.js';

const rotate = new Command('rotate')
  .description('Adds a key that signs from now on; the older ones go on verifying')
  .option('--file <path>', 'the private JWKS (default: JWT_KEYS_FILE)')
  .option('--keep <count>', 'how many keys to keep, the new one included', '3')
  .action(({ file = signingKeysFile(), keep }: { file?: string; keep: string }, command: Command) => {
    if (file === undefined) command.error('Name the file with --file or JWT_KEYS_FILE', { exitCode: 2 });
    if (!/^[1-9]\d?$/.test(keep)) command.error('--keep takes a number from 1 to 99', { exitCode: 2 });
    const { added, dropped } = rotateKeys(file, Number(keep));
    const gone = dropped.map((kid) => `\nKey ${kid} was dropped: tokens that it signed are refused.`);
    const { json } = command.optsWithGlobals<{ json: boolean }>();
    print(json, { added, dropped }, `Key ${added} signs from now on.${gone.join('')}`);
  });

export const keysCommand = new Command('keys')
  .description('The keys that sign access tokens')
  .addCommand(rotate);
