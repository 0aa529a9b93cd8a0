import { isDeepStrictEqual } from 'node:util';
import type { Ids } from '../clock/ids.ts';
import { schemas } from '../contract/generated/schemas.ts';
import { isCapitalUuid, isUuid } from '../contract/uuid.ts';
import { getAjvSchema } from '../contract/validators.ts';
import type { Executor } from '../store/engine.ts';
import { type BuiltRows, listReferences, type RowBuilder } from './build.ts';
import { findEntity } from './dump.ts';
import { getEntityType } from './entities.ts';
import type { EntityToStore, StoredEntity } from './entity.ts';
import type { WorldProblem } from './problem.ts';
import { createRowBuilder, findOrThrow, findReferred } from './references.ts';
import { throwConflict, throwFailure, throwInvalid } from './refusal.ts';
import { toProblems } from './schema-problems.ts';
import { type Collection, type EntityOf, getSchemaName, isIdentified, SINGULAR_NOUNS } from './world.ts';

/** `name` is an alias or id. `put` creates the entity if it does not exist. */
export type Change =
  | { readonly kind: 'create'; readonly body: unknown }
  | { readonly kind: 'put' | 'patch'; readonly name: string; readonly body: unknown };

export type Members = Readonly<Record<string, unknown>>;

interface PlannedChange<C extends Collection> {
  readonly next: EntityToStore<C>;
  /** Undefined if the change creates the entity. */
  readonly current: StoredEntity<C> | undefined;
}

/** Writes nothing. @throws FailureError */
export async function planChange<C extends Collection>(db: Executor, ids: Ids, collection: C, change: Change): Promise<PlannedChange<C>> {
  const { alias, ...members } = requireObject(change.body) as Members & { alias?: unknown };
  const path = change.kind === 'create' ? undefined : change.name;
  const find = change.kind === 'patch' ? findOrThrow : findEntity;
  const current = path === undefined ? undefined : await find(db, collection, path);
  const named = new Set(Object.keys(members));
  if (current) {
    if (alias !== undefined && alias !== current.alias) throwFixedMemberConflict(collection, 'alias', current.alias);
    const after = change.kind === 'patch' ? await applyPatch(db, collection, current.entity as Members, members) : members;
    checkSchema(collection, after);
    const builder = await createRowBuilder(db, collection, after);
    const entity = copyFixedMembers(collection, builder, current.entity, after);
    return { current, next: { ...buildOrThrow(builder, collection, { ...current, entity }), named } };
  }
  checkSchema(collection, members);
  rejectGeneratedMembers(collection, members);
  const names = resolveNames(ids, collection, path, alias, members);
  await checkNamesAreFree(db, collection, names);
  const builder = await createRowBuilder(db, collection, members);
  return { current: undefined, next: { ...buildOrThrow(builder, collection, { ...names, entity: members }), named } };
}

export function requireObject(body: unknown): Members {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Members;
  return throwFailure('invalid', 'The body must be an entity, as a JSON object.');
}

function buildOrThrow<C extends Collection>(
  builder: RowBuilder,
  collection: C,
  named: Pick<EntityToStore<C>, 'alias' | 'id' | 'entity'>,
): BuiltRows<C> {
  builder.checkStrings(named.entity, []);
  const rows = builder.build(collection, named, []);
  if (builder.problems.length > 0) throwInvalid(builder.problems);
  return rows!;
}

/** Adds omitted immutable members, and refuses a request that changes an immutable member. */
function copyFixedMembers<C extends Collection>(collection: C, builder: RowBuilder, before: EntityOf<C>, after: EntityOf<C>): EntityOf<C> {
  const [old, sent] = [before as Members, after as Members];
  const references = listReferences(collection, after);
  const fixed = ['id', ...(getEntityType(collection).fixed ?? [])].filter((member) => Object.hasOwn(old, member));
  for (const member of fixed) {
    const reference = references.find((one) => one.member === member);
    const value = (reference && builder.find(reference.collection, reference.name)?.alias) ?? sent[member];
    if (value !== undefined && !isDeepStrictEqual(value, old[member])) throwFixedMemberConflict(collection, member, old[member]);
  }
  return { ...after, ...Object.fromEntries(fixed.map((member) => [member, old[member]])) };
}

function throwFixedMemberConflict(collection: Collection, member: string, storedValue: unknown): never {
  return throwConflict(
    `/${member}`,
    `The ${SINGULAR_NOUNS[collection]}'s ${member} is ${JSON.stringify(storedValue)} and cannot be changed.`,
  );
}

/** Null removes a member. A map of levels is merged into the stored map. */
async function applyPatch(db: Executor, collection: Collection, before: Members, patch: Members): Promise<Members> {
  const { fixed = [], alwaysSet = [], parts } = getEntityType(collection);
  const kept = ['id', ...fixed, ...alwaysSet];
  const known = Object.keys((schemas.control.$defs[getSchemaName(collection)] as { properties: object }).properties);
  const result = new Map(Object.entries(before));
  for (const [member, value] of Object.entries(patch)) {
    if (value === null && known.includes(member) && !kept.includes(member)) result.delete(member);
    else if (member === parts?.levels?.member && typeof value === 'object' && value !== null) {
      result.set(member, await mergeLevels(db, parts.levels.collection, (before[member] ?? {}) as Members, value as Members));
    } else result.set(member, value);
  }
  return Object.fromEntries(result);
}

async function mergeLevels(db: Executor, collection: Collection, before: Members, patch: Members): Promise<Members> {
  const result = new Map(Object.entries(before));
  for (const [name, level] of Object.entries(patch)) {
    const [stored, ...others] = await findReferred(db, collection, name);
    // An unknown or ambiguous name is kept, so that the validation reports it.
    if (!stored || others.length > 0) result.set(name, level ?? 'none');
    else if (level === null) result.delete(stored.alias);
    else result.set(stored.alias, level);
  }
  return Object.fromEntries(result);
}

function checkSchema<C extends Collection>(collection: C, members: Members): asserts members is Members & EntityOf<C> {
  checkValue(getSchemaName(collection), members, '');
}

function checkValue(schema: string, value: unknown, pointer: string): void {
  const validate = getAjvSchema(`control#/$defs/${schema}`);
  if (validate(value)) return;
  throwInvalid(toProblems(validate.errors ?? []).map((problem) => ({ ...problem, pointer: pointer + problem.pointer })));
}

function rejectGeneratedMembers(collection: Collection, members: Members): void {
  const problems = (getEntityType(collection).generated ?? [])
    // A request may repeat a null updatedAt from a response.
    .filter((member) => members[member] !== undefined && members[member] !== null)
    .map((member): WorldProblem => {
      const reason = `The service generates the ${member} for a new ${SINGULAR_NOUNS[collection]}. Omit it, or load a whole world.`;
      return { pointer: `/${member}`, reason };
    });
  if (problems.length > 0) throwInvalid(problems);
}

type EntityNames = Pick<EntityToStore, 'alias' | 'id'>;

function resolveNames(ids: Ids, collection: Collection, path: string | undefined, alias: unknown, { id: idInBody }: Members): EntityNames {
  const idInPath = path !== undefined && isIdentified(collection) && isUuid(path) ? path.toLowerCase() : undefined;
  const [given, member] = idInPath === undefined ? [alias, 'alias'] : [idInBody, 'id'];
  if (path !== undefined && given !== undefined && given !== (idInPath ?? path)) {
    const reason = `The entity is "${path}" in the path, but ${JSON.stringify(given)} in the body. Use the same name in both, or omit ${member} from the body.`;
    throwInvalid([{ pointer: `/${member}`, reason }]);
  }
  const name = (alias ?? idInPath ?? path) as string | undefined;
  if (name !== undefined) checkAlias(collection, name, alias === undefined ? '' : '/alias');
  if (!isIdentified(collection)) {
    if (name === undefined)
      return throwInvalid([{ pointer: '', reason: 'The member "alias" is missing. Set it to the telephone number.' }]);
    return { alias: name, id: name };
  }
  if (getEntityType(collection).useCases) {
    if (idInPath === undefined) return { alias: name ?? '', id: '' };
    const detail = `The service generates the id, so the ${SINGULAR_NOUNS[collection]} cannot be created as ${idInPath}. PUT it under an alias.`;
    return throwFailure('invalid', detail);
  }
  const idFromAlias = name !== undefined && isUuid(name) && !isCapitalUuid(name) ? name : undefined;
  const id = idInPath ?? (idInBody as string | undefined) ?? idFromAlias ?? ids.uuid();
  return { alias: name ?? id, id };
}

/** @param pointer a pointer into the body; '' for an alias in the path */
function checkAlias(collection: Collection, alias: unknown, pointer: string): void {
  checkValue(`${getSchemaName(collection)}s/propertyNames`, alias, pointer);
  if (!(alias as string).isWellFormed())
    throwInvalid([{ pointer, reason: 'The alias contains half of a surrogate pair, which is not a character. Remove it.' }]);
}

/** Refuses a used alias or id, because references by that name would be ambiguous. */
async function checkNamesAreFree(db: Executor, collection: Collection, { alias, id }: EntityNames): Promise<void> {
  for (const name of new Set([alias, id])) {
    const other = name === '' ? undefined : await findEntity(db, collection, name);
    if (!other) continue;
    const isAlias = other.alias === name;
    const detail = `There is already a ${SINGULAR_NOUNS[collection]} "${other.alias}"${isAlias ? '' : ` with the id ${name}`}.`;
    throwFailure('conflict', detail, name === alias ? [] : [{ pointer: '/id', message: 'is already used' }]);
  }
}
