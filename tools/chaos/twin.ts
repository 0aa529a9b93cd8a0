import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exploreServer } from '../../conformance/proof/explore-server.ts';
import { openKit } from '../../conformance/proof/kit-target.ts';
import type { OpenServer } from '../../conformance/proof/server.ts';
import { openThreeReplicas } from '../../conformance/proof/targets/replicas.ts';
import { defaultDecisions } from '../../src/contract/generated/decisions.ts';
import { formatCounterexample } from '../../src/oracle/message.ts';
import type { Report } from './report.ts';

/** Compares kits with every kind of store with a twin in memory: random sequences must give the same answers and events. */
export async function compareStores(minutes: number, log: (text: string) => void): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'xpk-twin-'));
  const stores: Readonly<Record<string, () => Promise<OpenServer>>> = {
    'in memory': () => openKit({}),
    'SQLite file': () => openKit({ data: join(folder, 'kit.sqlite') }),
    'three replicas': openThreeReplicas,
  };
  const counts: Record<string, number> = { sequences: 0, commands: 0, looks: 0 };
  const differences: string[] = [];
  for (const [store, open] of Object.entries(stores)) {
    await using server = await open();
    const seed = Math.floor(Math.random() * 1e6);
    const options = { seconds: (minutes * 60) / 6, commands: 16, parallel: true, seed };
    const { found, sequences, steps, looks } = await exploreServer(server.settings, defaultDecisions, options);
    log(`${store}, seed ${seed}: ${sequences} sequences, ${steps} commands, ${looks} looks, ${found.length} differences`);
    counts.sequences! += sequences;
    counts.commands! += steps;
    counts.looks! += looks;
    differences.push(...found.map((each) => `${store}: ${each.difference.rule}\n${formatCounterexample(each)}`));
  }
  await rm(folder, { recursive: true });
  return { counts, problems: { differences } };
}
