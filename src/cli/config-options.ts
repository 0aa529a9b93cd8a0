import type { Command, Option } from 'commander';

export interface ConfigOption {
  readonly path: readonly string[];
  readonly option: Option;
}

/** The section for `check client` is `client` within `check`. */
export const CONFIG_SECTIONS: readonly string[] = ['start', 'exec', 'proxy', 'conformance', 'check client', 'check webhook'];

export const CONFIG_FILE = 'xpk.config.yaml';

export function listConfigOptions(command: Command): ConfigOption[] {
  const section = getCommandName(command);
  return command.options.flatMap((option): ConfigOption | [] => {
    if (option.envVar === 'XPK_URL') return { path: ['url'], option };
    return CONFIG_SECTIONS.includes(section) && option.name() !== 'config'
      ? { path: [...section.split(' '), option.attributeName()], option }
      : [];
  });
}

/** Returns a command's name without the program name, such as `check client`. */
export function getCommandName(command: Command): string {
  return command.parent === null ? '' : `${getCommandName(command.parent)} ${command.name()}`.trim();
}
