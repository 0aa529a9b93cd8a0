import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { CONFIG_FILE, type Setting } from './config-options.ts';

const PACKAGE_FILE = 'package.json';

/**
 * Sets the options that are neither on the command line nor in the environment from the configuration file, if there is one.
 *
 * @throws FixtureError with the place of each mistake in the file
 */
export async function applyConfig(command: Command, settings: readonly Setting[]): Promise<void> {
  const file: string | undefined = command.getOptionValue('config') ?? fileInWorkingFolder();
  if (file === undefined) return;
  // These modules are imported only if there is a file, so that commands start faster without one.
  const [{ readSource }, { compileSchema }, { toPointer }, { configSchema }] = await Promise.all([
    import('../world/source.ts'),
    import('../contract/validators.ts'),
    import('../world/problem.ts'),
    import('./config-schema.ts'),
  ]);
  const source = await readSource(file);
  const schema = configSchema(settings);
  const isPackage = basename(file) === PACKAGE_FILE;
  const config = source.matching(compileSchema<object>(isPackage ? { type: 'object', properties: { xpk: schema } } : schema));
  for (const { path, option } of settings) {
    const steps = isPackage ? ['xpk', ...path] : path;
    const value = valueAt(config, steps);
    const name = option.attributeName();
    if (value === undefined || !['default', undefined].includes(command.getOptionValueSource(name))) continue;
    try {
      command.setOptionValueWithSource(name, parse(option, value), 'config');
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw source.error([{ pointer: toPointer(steps), reason: error.message }]);
    }
  }
}

function fileInWorkingFolder(): string | undefined {
  if (existsSync(CONFIG_FILE)) return CONFIG_FILE;
  return existsSync(PACKAGE_FILE) && isConfigured(PACKAGE_FILE) ? PACKAGE_FILE : undefined;
}

/** @returns false also for a file that this user cannot read, or that is not JSON, because the file can belong to another project */
function isConfigured(packageFile: string): boolean {
  try {
    return Object.hasOwn(JSON.parse(readFileSync(packageFile, 'utf8')), 'xpk');
  } catch {
    return false;
  }
}

function valueAt(config: unknown, steps: readonly string[]): unknown {
  return steps.reduce((value, step) => (value as Record<string, unknown> | undefined)?.[step], config);
}

/** Parses a value in the same way as on the command line, where each value is a string. @throws InvalidArgumentError */
function parse({ parseArg, defaultValue }: Option, value: unknown): unknown {
  if (parseArg === undefined || typeof value === 'boolean') return value;
  return [value].flat().reduce<unknown>((before, text) => parseArg(String(text), before), Array.isArray(value) ? undefined : defaultValue);
}
