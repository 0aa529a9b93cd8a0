import type { Executor, OpenDatabase } from './engine.ts';

/** A world besides the first one. All times are wall time in milliseconds. */
export interface WorldRecord {
  /** Differs for each world, even if an earlier one had the same name. */
  readonly id: string;
  readonly name: string;
  /** From what the world was created: `seed`, `empty`, or the name of a world or snapshot. */
  readonly from: string;
  readonly label: string | undefined;
  /** The name of the world's content. */
  readonly world: string;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly idleTimeoutMs: number;
  /** How long it may still be unused. */
  readonly leftMs: number;
}

/** What a replica needs to open a world. */
export interface WorldSource {
  /** What a reset to `seed` restores: the content of the first world, no content, or that of a world file. */
  readonly seed: 'seed' | 'empty' | { readonly fixtures: object };
  readonly decisions: object;
}

export interface NewWorld extends Pick<WorldRecord, 'name' | 'from' | 'label' | 'world' | 'idleTimeoutMs'> {
  readonly source: WorldSource;
}

export interface OpenedRecord {
  readonly record: WorldRecord;
  readonly source: WorldSource;
  /** Undefined if the replicas do not share the content. */
  readonly database?: OpenDatabase;
}

/** What a replica knows about the use of a world. */
export interface WorldUse {
  /** Whether a response has not ended. */
  isOpen(): boolean;
  readWorld(): string;
}

/** The directory of the worlds besides the first one. On PostgreSQL, all replicas have the same. */
export interface WorldRecords {
  /** @returns the reason why the world cannot be created */
  refuse(name: string, maxWorlds: number): Promise<WorldRefusal | undefined>;
  /**
   * Creates a world.
   * @param fill writes the world's content, in a transaction. A directory in memory does not call it.
   */
  create(world: NewWorld, maxWorlds: number, fill: Fill): Promise<WorldRefusal | undefined>;
  /**
   * Opens a world at this replica: until `release`, no replica removes its content.
   * @returns undefined if there is no such world
   */
  open(name: string): Promise<OpenedRecord | undefined>;
  release(id: string): Promise<void>;
  list(): Promise<WorldRecord[]>;
  /** Call this function when a response begins and when it ends. */
  touch(record: WorldRecord, use: WorldUse): void;
  /** From now on, no replica opens the world. @returns its id */
  end(name: string): Promise<string | undefined>;
  /** Ends the worlds that were unused for too long. @returns their ids */
  endIdle(): Promise<string[]>;
  /** Removes the content of an ended world, when no replica has it open. */
  remove(id: string): Promise<void>;
  /** Calls the listener when another replica may have created or ended worlds. */
  subscribe(listener: () => void): () => void;
}

export type Fill = (tx: Executor) => Promise<void>;
/** `forbidden`: the database's user may not create schemas. */
export type WorldRefusal = 'taken' | 'full' | 'forbidden';

/** Creates a directory for a process that does not share its worlds with others. */
export function createMemoryRecords(): WorldRecords {
  const worlds = new Map<string, { record: WorldRecord; readonly source: WorldSource }>();
  let created = 0;

  const refuse = (name: string, maxWorlds: number) => (worlds.has(name) ? 'taken' : worlds.size >= maxWorlds ? 'full' : undefined);
  const list = () => [...worlds.values()].map(({ record }) => ({ ...record, leftMs: record.usedAt + record.idleTimeoutMs - Date.now() }));

  function end({ id, name }: WorldRecord): string {
    worlds.delete(name);
    return id;
  }

  return {
    refuse: async (name, maxWorlds) => refuse(name, maxWorlds),
    async create({ source, ...world }, maxWorlds) {
      const refusal = refuse(world.name, maxWorlds);
      const now = Date.now();
      const times = { createdAt: now, usedAt: now, leftMs: world.idleTimeoutMs };
      if (!refusal) worlds.set(world.name, { record: { ...world, ...times, id: String(++created) }, source });
      return refusal;
    },
    open: async (name) => worlds.get(name),
    release: async () => {},
    list: async () => list(),
    touch({ id, name }, use) {
      const found = worlds.get(name);
      if (found?.record.id === id) found.record = { ...found.record, usedAt: Date.now(), world: use.readWorld() };
    },
    async end(name) {
      const found = worlds.get(name);
      return found && end(found.record);
    },
    endIdle: async () =>
      list()
        .filter(({ leftMs }) => leftMs <= 0)
        .map(end),
    remove: async () => {},
    subscribe: () => () => {},
  };
}
