import { freePort } from '../../src/store/testing/free-port.ts';
import { end, repositoryFile, startNode } from '../child.ts';
import { firstAnswer, prismArguments } from '../server.ts';
import { type Spread, spreadOf } from '../spread.ts';
import type { Scenario } from './scenario.ts';

interface Starter {
  readonly args: (port: number) => string[];
  /** What answers 200. */
  readonly path: string;
  readonly authorization?: string;
}

const STARTERS: Record<'kit' | 'bare Express' | 'Prism', Starter> = {
  kit: { args: (port) => [repositoryFile('bin/xpk.cjs'), 'start', '--port', String(port)], path: '/_control/health' },
  'bare Express': { args: (port) => [repositoryFile('bench/servers/bare-express.mjs'), String(port)], path: '/health' },
  Prism: {
    args: prismArguments,
    path: '/experience/assignments?accountId=0190f000-0000-7000-8000-000000000001',
    authorization: 'Bearer any',
  },
};
const NAMES = Object.keys(STARTERS) as (keyof typeof STARTERS)[];

/** From the start of the process to its first 200. Node's compile cache is warm, as after the first start of an installation. */
export const cold: Scenario = async ({ rounds }, say) => {
  const times = { kit: [] as number[], 'bare Express': [] as number[], Prism: [] as number[] };
  await millisecondsToFirstAnswer(STARTERS.kit);
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed()) {
      const ms = await millisecondsToFirstAnswer(STARTERS[name]);
      times[name].push(ms);
      say(`round ${round + 1}/${rounds}  ${name}  ${ms.toFixed(0)} ms`);
    }
  }
  const ratio = (than: keyof typeof times): { time: Spread } => ({ time: spreadOf(times.kit.map((ms, i) => ms / times[than][i]!)) });
  return {
    rows: [
      { what: 'cold start', against: 'bare Express', unit: 'x', figures: ratio('bare Express'), target: { atMost: 4 } },
      { what: 'cold start', against: 'Prism', unit: 'x', figures: ratio('Prism'), target: { atMost: 1 } },
      ...NAMES.map((name) => ({ what: `cold start of ${name}`, unit: 'ms' as const, figures: { time: spreadOf(times[name]) } })),
    ],
  };
};

async function millisecondsToFirstAnswer({ args, path, authorization }: Starter): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const child = startNode('server', args(port), { messages: false });
  await firstAnswer(port, path, authorization);
  const ms = performance.now() - start;
  await end(child);
  return ms;
}
