import { type Command, Option } from 'commander';
import { CONFIG_FILE, settingsOf } from './config-options.ts';

/** Adds the option `--config` to a command. When the command is called, options that are not given get their values from the file. */
export function addConfig(command: Command): void {
  const settings = settingsOf(command);
  if (settings.length === 0) return;
  const description = `defaults of options (docs/command-line.md); default: ${CONFIG_FILE}, or the member xpk of package.json`;
  command.addOption(new Option('--config <file>', description).env('XPK_CONFIG')).hook('preAction', async (owner, called) => {
    if (owner === called) await (await import('./config-file.ts')).applyConfig(command, settings);
  });
}
