import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCommandName } from '../../src/cli/config-options.ts';
import { createProgram, listWithSubcommands } from '../../src/cli/program.ts';
import { controlOperations } from '../../src/contract/generated/control-operations.ts';

const operations = Object.entries(controlOperations).flatMap(([name, { method, routes }]) =>
  routes.map((pathname) => ({ name, method: method.toUpperCase(), pattern: new URLPattern({ pathname }) })),
);

/**
 * Lists the control operations and the commands that no test called successfully on the installed package.
 * @param folder contains the files that tools/scripts/on-installed-package.ts writes, with lines such as `GET /_control/health` and `clock show`
 */
export async function listUncalled(folder: string): Promise<string[]> {
  const calls = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  const called = new Set(calls.map((call) => findOperation(call) ?? call));
  const commands = listWithSubcommands(await createProgram([])).filter(({ commands }) => commands.length === 0);
  const names = commands.map(getCommandName);
  return [
    ...Object.keys(controlOperations).filter((name) => !called.has(name)),
    ...names.filter((name) => !calls.some((call) => call === name || call.startsWith(`${name} `))).map((name) => `xpk ${name}`),
  ];
}

function findOperation(call: string): string | undefined {
  const [method, pathname = ''] = call.split(' ');
  // As in the kit, the first operation whose path matches is called.
  return operations.find((each) => each.method === method && each.pattern.test({ pathname }))?.name;
}
