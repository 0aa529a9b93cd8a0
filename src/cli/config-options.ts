import type { Command, Option } from 'commander';

/** An option that the configuration file can set, and the path to its value in the file. */
export interface Setting {
  readonly path: readonly string[];
  readonly option: Option;
}

/** The commands that have a section in the configuration file. The section `check client` is the member `client` of the member `check`. */
export const SECTIONS: readonly string[] = ['start', 'conformance', 'check client', 'check webhook'];

export const CONFIG_FILE = 'xpk.config.yaml';

/** Returns the options of a command that the configuration file can set: those of a section, and the address of a running kit. */
export function settingsOf(command: Command): Setting[] {
  const section = nameOf(command);
  return command.options.flatMap((option): Setting | [] => {
    if (option.envVar === 'XPK_URL') return { path: ['url'], option };
    return SECTIONS.includes(section) && option.name() !== 'config'
      ? { path: [...section.split(' '), option.attributeName()], option }
      : [];
  });
}

/** Returns the name of a command without the name of the program, such as `check client`. */
export function nameOf(command: Command): string {
  return command.parent === null ? '' : `${nameOf(command.parent)} ${command.name()}`.trim();
}
