import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { getKitUrl } from './command.ts';
import { CONFIG_FILE, type ConfigOption } from './config-options.ts';

const PACKAGE_FILE = 'package.json';

/**
 * The command line and the environment take precedence.
 * @throws FixtureError with the position of each mistake in the file
 */
export async function applyConfig(command: Command, settings: readonly ConfigOption[]): Promise<void> {
  const file: string | undefined = command.getOptionValue('config') ?? findConfigFile();
  if (file === undefined) return;
  // Imported only if there is a configuration file, so that commands start faster.
  const [{ readSource }, { compileSchema }, { toPointer }, { createConfigSchema }] = await Promise.all([
    import('../world/source.ts'),
    import('../contract/validators.ts'),
    import('../world/problem.ts'),
    import('./config-schema.ts'),
  ]);
  const source = await readSource(file);
  const schema = createConfigSchema(settings);
  const isPackage = basename(file) === PACKAGE_FILE;
  const config = source.getValidValue(compileSchema<object>(isPackage ? { type: 'object', properties: { xpk: schema } } : schema));
  for (const { path, option } of settings) {
    const steps = isPackage ? ['xpk', ...path] : path;
    const isUrl = path[0] === 'url';
    // A port in the environment has precedence over the file.
    if (isUrl && Number(process.env.XPK_PORT) > 0) continue;
    const value = getValue(config, steps) ?? (isUrl ? getKitUrl(getValue(config, steps.with(-1, 'start')) as object) : undefined);
    const name = option.attributeName();
    if (value === undefined || !['default', undefined].includes(command.getOptionValueSource(name))) continue;
    try {
      command.setOptionValueWithSource(name, parseValue(option, value), 'config');
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw source.error([{ pointer: toPointer(steps), reason: error.message }]);
    }
  }
}

function findConfigFile(): string | undefined {
  if (existsSync(CONFIG_FILE)) return CONFIG_FILE;
  return existsSync(PACKAGE_FILE) && hasConfig(PACKAGE_FILE) ? PACKAGE_FILE : undefined;
}

function hasConfig(packageFile: string): boolean {
  try {
    return Object.hasOwn(JSON.parse(readFileSync(packageFile, 'utf8')), 'xpk');
  } catch {
    return false;
  }
}

function getValue(config: unknown, steps: readonly string[]): unknown {
  return steps.reduce((value, step) => (value as Record<string, unknown> | undefined)?.[step], config);
}

function parseValue({ parseArg, defaultValue }: Option, value: unknown): unknown {
  if (parseArg === undefined || typeof value === 'boolean') return value;
  return [value].flat().reduce<unknown>((before, text) => parseArg(String(text), before), Array.isArray(value) ? undefined : defaultValue);
}
