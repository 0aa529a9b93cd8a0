import { isDeepStrictEqual } from 'node:util';
import { isCapitalUuid, isUuid } from '../../contract/uuid.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Executor } from '../../store/engine.ts';
import type { WorldRows } from '../../world/compile/rows.ts';
import { type Collection, type EntityOf, SINGULAR } from '../../world/world.ts';
import { compileEntity } from './compile-entity.ts';
import { checkAlias, checkForm, type Members, objectOf } from './form.ts';
import { FIXED, GIVEN, IDENTIFIED_BY_SERVICE } from './members.ts';
import { merged } from './merge.ts';
import { find, hintFor, type Known, resolve } from './references.ts';
import { refuse, refuseInvalid, refuseNotFound } from './refusal.ts';

/** What is asked for: to create, to create or replace what has this name, to change some members of it. */
export type Change =
  | { readonly kind: 'create'; readonly body: unknown }
  | { readonly kind: 'put'; readonly name: string; readonly body: unknown }
  | { readonly kind: 'patch'; readonly name: string; readonly body: unknown };

/** An entity as it is to be, judged as far as it can be without writing. */
export interface Intended<C extends Collection> {
  /** Undefined where the service has yet to give an id, and no other name was given. */
  readonly alias: string | undefined;
  /** The number itself for a telephone number; '' where the service has yet to give it. */
  readonly id: string;
  readonly entity: EntityOf<C>;
  /** The ids behind the members that refer to one entity. */
  readonly ids: Readonly<Record<string, string>>;
  /** The entity as the rows of a world; none of what is written through a use case of the API. */
  readonly rows: WorldRows | undefined;
  /** The members that the request named. */
  readonly asked: ReadonlySet<string>;
}

export interface Plan<C extends Collection> {
  readonly next: Intended<C>;
  /** What it is now; undefined where it is to be created. */
  readonly current: Known<C> | undefined;
}

/** Judges a change against what exists. Refuses what cannot be, and writes nothing. */
export async function plan<C extends Collection>(db: Executor, context: ServiceContext, collection: C, change: Change): Promise<Plan<C>> {
  const { alias, ...members } = objectOf(change.body) as Members & { alias?: unknown };
  const current = change.kind === 'create' ? undefined : await find(db, collection, change.name);
  if (current) return planReplacement(db, collection, change.kind === 'patch', { alias, members }, current);
  if (change.kind === 'patch') refuseNotFound(collection, change.name, await hintFor(db, collection, change.name));
  return planCreation(db, context, collection, change, { alias, members });
}

interface Sent {
  readonly alias?: unknown;
  readonly members: Members;
}

async function planReplacement<C extends Collection>(
  db: Executor,
  collection: C,
  isPatch: boolean,
  { alias, members }: Sent,
  current: Known<C>,
): Promise<Plan<C>> {
  if (alias !== undefined && alias !== current.alias) refuseFixed(collection, 'alias', current.alias);
  const before = current.entity as Members;
  const wanted = isPatch ? await merged(db, collection, before, members) : members;
  checkForm(collection, wanted);
  const resolved = await resolve(db, collection, wanted);
  const kept = ['id', ...FIXED[collection]].filter((member) => Object.hasOwn(before, member));
  for (const member of kept) {
    if (resolved.members[member] === undefined || isDeepStrictEqual(resolved.members[member], before[member])) continue;
    refuseFixed(collection, member, before[member]);
  }
  // What cannot be changed need not be repeated.
  const complete = { ...resolved, members: { ...resolved.members, ...Object.fromEntries(kept.map((member) => [member, before[member]])) } };
  const rows = IDENTIFIED_BY_SERVICE.has(collection) ? undefined : compileEntity(collection, current.alias, current.id, complete);
  const entity = complete.members as EntityOf<C>;
  return { current, next: { alias: current.alias, id: current.id, entity, ids: resolved.ids, rows, asked: new Set(Object.keys(members)) } };
}

function refuseFixed(collection: Collection, member: string, value: unknown): never {
  const message = `The ${member} of the ${SINGULAR[collection]} cannot be changed: it is ${JSON.stringify(value)}.`;
  return refuse('conflict', message, [{ pointer: `/${member}`, message }]);
}

async function planCreation<C extends Collection>(
  db: Executor,
  context: ServiceContext,
  collection: C,
  change: Exclude<Change, { kind: 'patch' }>,
  sent: Sent,
): Promise<Plan<C>> {
  if (collection === 'telephoneNumbers' && sent.alias === undefined && sent.members.number !== undefined) {
    refuseInvalid([
      { pointer: '/number', message: 'There is no member "number" here. The telephone number itself is the member "alias".' },
    ]);
  }
  checkForm(collection, sent.members);
  refuseGiven(collection, sent.members);
  const { alias, id } = nameOf(context, collection, change, sent);
  await refuseTaken(db, collection, alias, id);
  const resolved = await resolve(db, collection, sent.members);
  const rows = IDENTIFIED_BY_SERVICE.has(collection) ? undefined : compileEntity(collection, alias ?? id, id, resolved);
  const asked = new Set(Object.keys(sent.members));
  return { current: undefined, next: { alias, id, entity: resolved.members as EntityOf<C>, ids: resolved.ids, rows, asked } };
}

function refuseGiven(collection: Collection, members: Members): void {
  const errors = GIVEN[collection]
    // That a user was never updated is what the service would say, too.
    .filter((member) => members[member] !== undefined && members[member] !== null)
    .map((member) => ({
      pointer: `/${member}`,
      message: `The service gives a new ${SINGULAR[collection]} its ${member}: leave it out. To have another, load a whole world.`,
    }));
  if (errors.length > 0) refuseInvalid(errors);
}

/** The name and id of what is to be created: as a world would have them, but that an id that nobody gave is a new one. */
function nameOf(context: ServiceContext, collection: Collection, change: Exclude<Change, { kind: 'patch' }>, { alias, members }: Sent) {
  const path = change.kind === 'put' ? change.name : undefined;
  const idInPath = path !== undefined && collection !== 'telephoneNumbers' && isUuid(path) ? path.toLowerCase() : undefined;
  const given = alias ?? idInPath ?? path;
  if (given !== undefined) checkAlias(collection, given, alias === undefined ? '' : '/alias');
  if (path !== undefined && idInPath === undefined && given !== path) refuseOtherName('/alias', path, given);
  if (collection === 'telephoneNumbers') {
    if (given === undefined) refuseInvalid([{ pointer: '', message: 'The member "alias" is missing: the telephone number itself.' }]);
    return { alias: given, id: given };
  }
  if (IDENTIFIED_BY_SERVICE.has(collection)) {
    if (idInPath === undefined) return { alias: given, id: '' };
    return refuse(
      'invalid',
      `The service gives a new ${SINGULAR[collection]} its id, so it cannot be created as ${idInPath}. Put it under a name.`,
    );
  }
  if (idInPath !== undefined && members.id !== undefined && members.id !== idInPath) refuseOtherName('/id', idInPath, members.id);
  const id =
    idInPath ??
    (members.id as string | undefined) ??
    (given !== undefined && isUuid(given) && !isCapitalUuid(given) ? given : context.ids.uuid());
  return { alias: given ?? id, id };
}

function refuseOtherName(pointer: string, path: string, body: unknown): never {
  return refuseInvalid([
    { pointer, message: `The path says "${path}", but here is ${JSON.stringify(body)}. Give one, or the same twice.` },
  ]);
}

/** A name that is another's, or another's id, could mean either. */
async function refuseTaken(db: Executor, collection: Collection, alias: string | undefined, id: string): Promise<void> {
  const named = alias === undefined ? undefined : await find(db, collection, alias);
  if (named) {
    const how =
      named.alias === alias
        ? `There is a ${SINGULAR[collection]} "${alias}" already.`
        : `"${alias}" is the id of the ${SINGULAR[collection]} "${named.alias}".`;
    refuse('conflict', how);
  }
  const identified = id === '' || id === alias ? undefined : await find(db, collection, id);
  if (identified)
    refuse('conflict', `The ${SINGULAR[collection]} "${identified.alias}" has the id ${id} already.`, [
      { pointer: '/id', message: 'is taken' },
    ]);
}
