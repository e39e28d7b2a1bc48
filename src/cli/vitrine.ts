#!/usr/bin/env node
import { Command } from 'commander';
import { keysCommand } from './keys.command.js';

await new Command('vitrine')
  .description('Runs and looks after a Vitrine service. Reads the same environment as the service.')
  .addCommand(keysCommand)
  .parseAsync();
