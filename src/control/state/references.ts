import { didYouMean } from '../../contract/did-you-mean.ts';
import type { FieldError } from '../../contract/outcome.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Executor } from '../../store/engine.ts';
import { dumpEntity } from '../../world/dump.ts';
import { toPointer } from '../../world/problem.ts';
import { type Collection, type EntityOf, SINGULAR, type World } from '../../world/world.ts';
import type { Members } from './form.ts';
import { refuseInvalid } from './refusal.ts';

/** An entity that exists. */
export interface Known<C extends Collection> {
  readonly alias: string;
  /** Its id; the number itself for a telephone number. */
  readonly id: string;
  /** In the form of a world. */
  readonly entity: EntityOf<C>;
}

/** The entity with this alias or id, or this telephone number. */
export async function find<C extends Collection>(db: Executor, collection: C, name: string): Promise<Known<C> | undefined> {
  const found = await dumpEntity(db, collection, name);
  if (!found) return undefined;
  const { alias, ...entity } = found as { alias: string; id?: string };
  return { alias, id: entity.id ?? alias, entity: entity as EntityOf<C> };
}

/** ` Did you mean …?` for a name of nothing. Nobody mistypes a UUID, and programs ask for many that are gone. */
export async function hintFor(db: Executor, collection: Collection, name: string): Promise<string> {
  if (isUuid(name)) return '';
  return didYouMean(name, await aliasesOf(db, collection));
}

/** As many as the search for a near one looks at. */
const CANDIDATES = 2000;

async function aliasesOf(db: Executor, collection: Collection): Promise<string[]> {
  if (collection === 'telephoneNumbers') {
    const rows = await db.selectFrom('telephone_numbers').select('number').orderBy('number').limit(CANDIDATES).execute();
    return rows.map(({ number }) => number);
  }
  const rows = await db.selectFrom(collection).select('alias').orderBy('alias').limit(CANDIDATES).execute();
  return rows.map(({ alias }) => alias);
}

type Referring = { readonly [C in Collection]?: Readonly<Record<string, Collection>> };
/** Members that refer to an entity. */
const MEMBERS: Referring = {
  experiences: { provider: 'providers' },
  telephoneNumbers: { account: 'accounts' },
  users: { account: 'accounts' },
  clients: { provider: 'providers' },
  assignments: { experience: 'experiences' },
  connections: { account: 'accounts', experience: 'experiences' },
  subscriptions: { provider: 'providers', experience: 'experiences' },
};
/** Members that are maps of levels, by what the level is for. */
export const MAPS: Referring = { experiences: { levels: 'providers' }, principals: { accounts: 'accounts' } };
const TARGETS = { ACCOUNT: 'accounts', USER: 'users', PHONE_NUMBER: 'telephoneNumbers' } as const satisfies Record<string, Collection>;

/** An entity whose references were looked up. */
export interface Resolved {
  /** With aliases where ids stood, so that it can be compared with what a dump says. */
  readonly members: Members;
  /** The ids behind the members that refer to an entity. */
  readonly ids: Readonly<Record<string, string>>;
  /** What is referred to, as the rest of a world in which the entity could stand. */
  readonly around: Omit<World, 'world'>;
}

/** Looks up what an entity of the right form refers to. Refuses references to nothing, all of them at once. */
export async function resolve(db: Executor, collection: Collection, members: Members): Promise<Resolved> {
  const resolution = new Resolution(db);
  const result = new Map(Object.entries(members));
  for (const [member, referred] of referencesOf(collection, members)) {
    const alias = await resolution.refer(referred, members[member] as string, [member]);
    if (alias !== undefined) result.set(member, alias);
  }
  for (const [member, referred] of Object.entries(MAPS[collection] ?? {})) {
    if (members[member] !== undefined) result.set(member, await resolution.map(referred, members[member] as Members, member));
  }
  if (resolution.errors.length > 0) refuseInvalid(resolution.errors);
  return { members: Object.fromEntries(result), ids: resolution.ids, around: resolution.around };
}

function referencesOf(collection: Collection, members: Members): [member: string, referred: Collection][] {
  const present = Object.entries(MEMBERS[collection] ?? {}).filter(([member]) => members[member] !== undefined);
  return collection === 'assignments' ? [...present, ['target', TARGETS[members.targetType as keyof typeof TARGETS]]] : present;
}

class Resolution {
  readonly errors: FieldError[] = [];
  readonly ids: Record<string, string> = {};
  readonly around: Partial<Record<Collection, Record<string, unknown>>> & Omit<World, 'world'> = {};
  readonly #db: Executor;

  constructor(db: Executor) {
    this.#db = db;
  }

  /** The alias of what is referred to; undefined, and an error, where it is nothing. */
  async refer(collection: Collection, reference: string, steps: readonly string[]): Promise<string | undefined> {
    const known = await find(this.#db, collection, reference);
    if (!known) {
      const message = `"${reference}" is no ${SINGULAR[collection]}.${await hintFor(this.#db, collection, reference)}`;
      this.errors.push({ pointer: toPointer(steps), message });
      return undefined;
    }
    if (steps.length === 1) this.ids[steps[0]!] = known.id;
    await this.#putAround(collection, known);
    return known.alias;
  }

  /** A map by aliases. Two names of one thing are an error. */
  async map(collection: Collection, map: Members, member: string): Promise<Members> {
    const result = new Map<string, unknown>();
    for (const [reference, value] of Object.entries(map)) {
      const alias = await this.refer(collection, reference, [member, reference]);
      if (alias === undefined) continue;
      if (result.has(alias)) {
        const message = `"${reference}" stands for what another name here stands for, too. Keep one.`;
        this.errors.push({ pointer: toPointer([member, reference]), message });
      }
      result.set(alias, value);
    }
    return Object.fromEntries(result);
  }

  async #putAround(collection: Collection, { alias, entity }: Known<Collection>): Promise<void> {
    // Levels would refer to others still.
    const { levels: _, ...rest } = entity as Members;
    this.around[collection] = { ...this.around[collection], [alias]: rest } as never;
    if (collection !== 'experiences') return;
    const owner = await find(this.#db, 'providers', (entity as EntityOf<'experiences'>).provider);
    if (owner) await this.#putAround('providers', owner as Known<Collection>);
  }
}
