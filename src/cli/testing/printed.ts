import { mock } from 'node:test';
import type { Command } from 'commander';

/** What commands print that speak to this kit: the line is cut at spaces, the rest is taken as it is. */
export function verbsAt(kit: () => { readonly url: string }, verbs: Readonly<Record<string, () => Command>>) {
  async function xpk(line: string, ...rest: string[]): Promise<string> {
    const [verb = '', ...args] = line.split(' ');
    const printed: string[] = [];
    const log = mock.method(console, 'log', (text: string) => printed.push(text));
    try {
      const command = verbs[verb]!();
      for (const each of [command, ...command.commands]) each.exitOverride().configureOutput({ writeErr: () => {} });
      await command.parseAsync([...args, ...rest, '--url', kit().url], { from: 'user' });
    } finally {
      log.mock.restore();
    }
    return printed.join('\n');
  }
  return { xpk, json: async (line: string, ...rest: string[]) => JSON.parse(await xpk(line, ...rest, '--json')) };
}
