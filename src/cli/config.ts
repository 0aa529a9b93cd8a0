import { type Command, Option } from 'commander';
import { CONFIG_FILE, listConfigOptions } from './config-options.ts';

export function addConfig(command: Command): void {
  const settings = listConfigOptions(command);
  if (settings.length === 0) return;
  const description = `a file with option defaults (docs/command-line.md); default: ${CONFIG_FILE}, or the xpk member in package.json`;
  command.addOption(new Option('--config <file>', description).env('XPK_CONFIG')).hook('preAction', async (owner, called) => {
    if (owner === called) await (await import('./config-file.ts')).applyConfig(command, settings);
  });
}
