import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Call } from '../checks/client/call.ts';
import { toExchange } from '../checks/service/exchange.ts';
import { writeTextFile } from '../report/write-reports.ts';
import { readExchange } from '../traffic/exchange.ts';
import { LearnedFacts } from '../traffic/learned-facts.ts';
import { buildWorld } from '../traffic/to-world.ts';
import { formatYaml } from './yaml.ts';

/**
 * Learns the world of a service from the calls that pass.
 * @param keepsNames whether the file has the real ids, names and telephone numbers
 */
export function createWorldRecorder(file: string, keepsNames: boolean) {
  const facts = new LearnedFacts();
  return {
    /** @param call an entry in a journal, in the order of the responses */
    add(call: Call): void {
      const exchange = toExchange(call, '');
      if (exchange) facts.learn(readExchange(exchange));
    },
    /** Writes the world file. */
    async write(): Promise<{ readonly counts: Readonly<Record<string, number>>; readonly text: string }> {
      const name = basename(file)
        .replace(/\.\w+$/, '')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^[^a-z]+|-$/g, '')
        .slice(0, 40);
      const world = buildWorld(facts, { name: name || 'recorded', keepsNames });
      const { accounts, users, telephoneNumbers, connections, assignments, tokens } = world;
      const counts = Object.fromEntries(
        Object.entries({ accounts, users, telephoneNumbers, connections, assignments }).map(([kind, entities = {}]) => [
          kind,
          Object.keys(entities).length,
        ]),
      );
      if (Object.keys(accounts ?? {}).length === 0 && existsSync(file))
        return { counts, text: `The traffic showed no account, so ${file} was not changed.` };
      const text = `# Recorded by xpk. ${keepsNames ? 'Contains real names, numbers and ids.' : 'Names, numbers and ids are not those of the service.'}\n\n${formatYaml(world)}\n`;
      await writeTextFile(file, text);
      const contents = Object.entries(counts).map(([kind, count]) => `${count} ${kind.replace('N', ' n')}`);
      const token = Object.keys(tokens ?? {})[0] ?? '--client …';
      return {
        counts,
        text: `Wrote ${file}: ${contents.join(', ')}. Start it as a mock with: xpk start --fixtures ${file}, and get a token with: xpk token ${token}`,
      };
    },
  };
}
