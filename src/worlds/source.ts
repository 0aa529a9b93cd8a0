import { createIds } from '../clock/ids.ts';
import { didYouMean } from '../contract/did-you-mean.ts';
import { createControlFailure, type GateFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { RunningWorld } from '../running-world.ts';
import { restoreRows } from '../service/snapshots.ts';
import { markAsLoaded } from '../service/world-state.ts';
import type { Executor } from '../store/engine.ts';
import { WORLD_KEY } from '../store/meta.ts';
import type { Fill, WorldSource } from '../store/world-records.ts';
import { readState, type StateRows } from '../store/world-tables.ts';
import { validateDecisions } from '../world/decisions-file.ts';
import { writeSeed } from '../world/load.ts';
import { createEmptySeed, readSeed, type Seed } from '../world/seed.ts';

/** From what a world is created. */
export interface FoundSource {
  readonly source: WorldSource;
  readonly seed: Seed;
  readonly fill: Fill;
  /** Whether it contains only the seed. */
  readonly isSeed: boolean;
  /** The name of the content. */
  readonly world: string;
}

interface Places {
  readonly first: RunningWorld;
  readonly decisions: Decisions;
  /** Returns a world of the kit by name. */
  open(name: string): Promise<{ readonly source: WorldSource; readonly world: RunningWorld } | undefined>;
  listNames(): Promise<string[]>;
}

/** @throws FixtureError */
export async function findSource(request: components['schemas']['WorldRequest'], places: Places): Promise<FoundSource | GateFailure> {
  const { from = 'seed', fixtures, decisions: given = {} } = request;
  const { first, decisions } = places;
  const own = validateDecisions(given as Parameters<typeof validateDecisions>[0], 'decisions');
  const all = { ...decisions, ...own };
  if (fixtures !== undefined || from === 'seed' || from === 'empty') {
    const seed = fixtures === undefined ? (from as 'seed' | 'empty') : { fixtures };
    return createFromSeed({ seed, decisions: all }, await readSourceSeed(seed, first));
  }
  const copied = await places.open(from);
  if (copied) {
    const source = { ...copied.source, decisions: { ...copied.source.decisions, ...own } };
    return createCopy(source, copied.world, await copied.world.store.read(readState));
  }
  const snapshots = await first.store.db.selectFrom('snapshots').select('name').execute();
  if (snapshots.some(({ name }) => name === from)) {
    const { content } = await first.store.db.selectFrom('snapshots').select('content').where('name', '=', from).executeTakeFirstOrThrow();
    return createCopy({ seed: 'seed', decisions: all }, first, JSON.parse(content) as StateRows);
  }
  const names = ['seed', 'empty', ...(await places.listNames()), ...snapshots.map(({ name }) => name)];
  const message = `There is no world and no snapshot "${from}".${didYouMean(from, names)}`;
  return createControlFailure('invalid', message, [{ pointer: '/from', message }]);
}

/** Reads what a reset to `seed` restores in a world. */
export async function readSourceSeed(seed: WorldSource['seed'], first: RunningWorld): Promise<Seed> {
  if (seed === 'seed') return first.getSeed();
  return seed === 'empty' ? createEmptySeed() : readSeed({ fixtures: seed.fixtures as never });
}

const createFromSeed = (source: WorldSource, seed: Seed): FoundSource => ({
  ...{ source, seed, isSeed: true, world: findName(seed.rows) },
  async fill(tx) {
    await writeSeed(tx, seed);
    // Worlds with the same content accept no cursors of each other.
    await mark(tx);
  },
});

const createCopy = (source: WorldSource, { getSeed }: RunningWorld, rows: StateRows): FoundSource => ({
  ...{ source, seed: getSeed(), isSeed: false, world: findName(rows) },
  fill: (tx) => restoreRows(tx, rows, { markLoaded: mark }),
});

const findName = ({ meta }: Pick<StateRows, 'meta'>): string => String(meta.find(({ key }) => key === WORLD_KEY)?.value ?? '');

const mark = (tx: Executor) => markAsLoaded(tx, createIds());
