import { isDeepStrictEqual } from 'node:util';
import type { Ids } from '../clock/ids.ts';
import { schemas } from '../contract/generated/schemas.ts';
import { isCapitalUuid, isUuid } from '../contract/uuid.ts';
import { schemaAt } from '../contract/validators.ts';
import type { Executor } from '../store/engine.ts';
import { buildRows, checkTexts, referencesOf } from './build.ts';
import { findEntity } from './dump.ts';
import { entityType } from './entities.ts';
import type { Check, Next, Stored } from './entity.ts';
import { toPointer, type WorldProblem } from './problem.ts';
import { hintFor, References } from './references.ts';
import { throwConflict, throwFailure, throwInvalid, throwNotFound } from './refusal.ts';
import { schemaProblems } from './schema-problems.ts';
import { type Collection, DEFAULT_EPOCH, type EntityOf, isIdentified, SINGULAR } from './world.ts';

/** A request to create an entity, to create or replace the one with this name, or to change some of its members. */
export type Change =
  | { readonly kind: 'create'; readonly body: unknown }
  | { readonly kind: 'put'; readonly name: string; readonly body: unknown }
  | { readonly kind: 'patch'; readonly name: string; readonly body: unknown };
type Creation = Exclude<Change, { kind: 'patch' }>;

/** An entity as it was sent. */
export type Members = Readonly<Record<string, unknown>>;
interface Sent {
  readonly alias?: unknown;
  readonly members: Members;
}

/** A change that was validated as far as possible without writing. */
export interface Plan<C extends Collection> {
  readonly next: Next<C>;
  /** Undefined if the entity is to be created. */
  readonly current: Stored<C> | undefined;
}

/** Validates a change against the stored entities. Writes nothing. @throws FailureError */
export async function planChange<C extends Collection>(db: Executor, ids: Ids, collection: C, change: Change): Promise<Plan<C>> {
  const { alias, ...members } = objectOf(change.body) as Members & { alias?: unknown };
  const current = change.kind === 'create' ? undefined : await findEntity(db, collection, change.name);
  if (current) return planReplacement(db, collection, change.kind === 'patch', { alias, members }, current);
  if (change.kind === 'patch') return throwNotFound(collection, change.name, await hintFor(db, collection, change.name));
  return planCreation(db, ids, collection, change, { alias, members });
}

export function objectOf(body: unknown): Members {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Members;
  return throwFailure('invalid', 'The body has to be an entity: a JSON object.');
}

async function planReplacement<C extends Collection>(
  db: Executor,
  collection: C,
  isPatch: boolean,
  { alias, members }: Sent,
  current: Stored<C>,
): Promise<Plan<C>> {
  if (alias !== undefined && alias !== current.alias) throwFixed(collection, 'alias', current.alias);
  const before = current.entity as Members;
  const after = isPatch ? await patched(db, collection, before, members) : members;
  checkSchema(collection, after);
  const references = await References.of(db, collection, after);
  const aliases = new Map(referencesOf(collection, after).map((reference) => [reference.member, references.find(reference)?.alias]));
  const fixed = ['id', ...(entityType(collection).fixed ?? [])].filter((member) => Object.hasOwn(before, member));
  for (const member of fixed) {
    const value = aliases.get(member) ?? after[member];
    if (value !== undefined && !isDeepStrictEqual(value, before[member])) throwFixed(collection, member, before[member]);
  }
  // Members that cannot change need not be sent.
  const entity = { ...after, ...Object.fromEntries(fixed.map((member) => [member, before[member]])) } as EntityOf<C>;
  return { current, next: complete(collection, { ...current, entity }, references, members) };
}

function throwFixed(collection: Collection, member: string, value: unknown): never {
  return throwConflict(`/${member}`, `The ${member} of the ${SINGULAR[collection]} cannot be changed: it is ${JSON.stringify(value)}.`);
}

/** Applies a PATCH: null removes a member, any other value replaces it. A map of levels is merged, so that a grant is added without the others. */
async function patched(db: Executor, collection: Collection, before: Members, patch: Members): Promise<Members> {
  const { schema, fixed = [], alwaysSet = [], parts } = entityType(collection);
  const kept = ['id', ...fixed, ...alwaysSet];
  const known = Object.keys((schemas.control.$defs[schema as 'User'] as { properties: object }).properties);
  const result = new Map(Object.entries(before));
  for (const [member, value] of Object.entries(patch)) {
    const isRemoval = value === null && known.includes(member) && !kept.includes(member);
    if (isRemoval) result.delete(member);
    else if (member === parts?.levels?.member && typeof value === 'object' && value !== null) {
      result.set(member, await mergedLevels(db, parts.levels.collection, (before[member] ?? {}) as Members, value as Members));
    } else result.set(member, value);
  }
  return Object.fromEntries(result);
}

async function mergedLevels(db: Executor, collection: Collection, before: Members, patch: Members): Promise<Members> {
  const result = new Map(Object.entries(before));
  for (const [name, level] of Object.entries(patch)) {
    const stored = await findEntity(db, collection, name);
    // An unknown name stays even with null, so that it is reported and not ignored.
    if (!stored) result.set(name, level ?? 'none');
    else if (level === null) result.delete(stored.alias);
    else result.set(stored.alias, level);
  }
  return Object.fromEntries(result);
}

async function planCreation<C extends Collection>(db: Executor, ids: Ids, collection: C, change: Creation, sent: Sent): Promise<Plan<C>> {
  if (collection === 'telephoneNumbers' && sent.alias === undefined && sent.members.number !== undefined) {
    const reason = 'There is no member "number" here. The telephone number itself is the member "alias".';
    throwInvalid([{ pointer: '/number', reason }]);
  }
  checkSchema(collection, sent.members);
  checkGenerated(collection, sent.members);
  const { alias, id } = nameOf(ids, collection, change, sent);
  await checkNameIsFree(db, collection, alias, id);
  const references = await References.of(db, collection, sent.members);
  const next = complete(collection, { alias, id, entity: sent.members }, references, sent.members);
  return { current: undefined, next };
}

function checkSchema<C extends Collection>(collection: C, members: Members): asserts members is Members & EntityOf<C> {
  const problems = problemsOf(entityType(collection).schema, members);
  if (problems.length > 0) throwInvalid(problems);
}

/** Unlike those of the contract's validators, these problems name an unknown member. */
function problemsOf(schema: string, value: unknown): WorldProblem[] {
  const validate = schemaAt(`control#/$defs/${schema}`);
  return validate(value) ? [] : schemaProblems(validate.errors ?? []);
}

function checkGenerated(collection: Collection, members: Members): void {
  const { generated = [] } = entityType(collection);
  const problems = generated
    // The service, too, says null for a user that was never updated.
    .filter((member) => members[member] !== undefined && members[member] !== null)
    .map((member) => ({
      pointer: `/${member}`,
      reason: `The service generates the ${member} of a new ${SINGULAR[collection]}. Leave it out, or load a whole world.`,
    }));
  if (problems.length > 0) throwInvalid(problems);
}

/** The name and id of a new entity. Generates an id if none is given; '' if the service generates it later. */
function nameOf(ids: Ids, collection: Collection, change: Creation, { alias, members }: Sent): { alias: string | undefined; id: string } {
  const path = change.kind === 'put' ? change.name : undefined;
  const idInPath = path !== undefined && isIdentified(collection) && isUuid(path) ? path.toLowerCase() : undefined;
  const given = alias ?? idInPath ?? path;
  if (given !== undefined) checkAlias(collection, given, alias === undefined ? '' : '/alias');
  if (path !== undefined && idInPath === undefined && given !== path) throwOtherName('/alias', path, given);
  if (!isIdentified(collection)) {
    if (given === undefined) return throwInvalid([{ pointer: '', reason: 'The member "alias" is missing: the telephone number itself.' }]);
    return { alias: given, id: given };
  }
  if (entityType(collection).useCases) {
    if (idInPath === undefined) return { alias: given, id: '' };
    const detail = `The service generates the id of a new ${SINGULAR[collection]}, so it cannot be created as ${idInPath}. PUT it under an alias.`;
    return throwFailure('invalid', detail);
  }
  if (idInPath !== undefined && members.id !== undefined && members.id !== idInPath) throwOtherName('/id', idInPath, members.id);
  const idFromAlias = given !== undefined && isUuid(given) && !isCapitalUuid(given) ? given : undefined;
  const id = idInPath ?? (members.id as string | undefined) ?? idFromAlias ?? ids.uuid();
  return { alias: given ?? id, id };
}

function throwOtherName(pointer: string, path: string, body: unknown): never {
  const reason = `The path says "${path}", the body says ${JSON.stringify(body)}. Give only one of them, or the same twice.`;
  return throwInvalid([{ pointer, reason }]);
}

const NUMBER = /^\+[1-9]\d{1,14}$/;

/** @param pointer where the alias stands; '' for the path. */
function checkAlias(collection: Collection, alias: unknown, pointer: string): asserts alias is string {
  if (!isIdentified(collection)) {
    if (typeof alias === 'string' && NUMBER.test(alias)) return;
    throwInvalid([{ pointer, reason: `${JSON.stringify(alias)} is not a telephone number. A number is written as in +12065550100.` }]);
  }
  const problems = problemsOf('Alias', alias);
  if (problems.length === 0) checkTexts(alias, [], (_, reason) => problems.push({ pointer, reason }));
  if (problems.length > 0) throwInvalid(problems.map((problem) => ({ ...problem, pointer })));
}

/** An alias must not be the alias or the id of another entity: a reference to it would be ambiguous. */
async function checkNameIsFree(db: Executor, collection: Collection, alias: string | undefined, id: string): Promise<void> {
  const named = alias === undefined ? undefined : await findEntity(db, collection, alias);
  if (named?.alias === alias && named) throwFailure('conflict', `There is already a ${SINGULAR[collection]} "${alias}".`);
  if (named) throwFailure('conflict', `"${alias}" is the id of the ${SINGULAR[collection]} "${named.alias}".`);
  const identified = id === '' || id === alias ? undefined : await findEntity(db, collection, id);
  if (!identified) return;
  const detail = `The ${SINGULAR[collection]} "${identified.alias}" already has the id ${id}.`;
  throwFailure('conflict', detail, [{ pointer: '/id', message: 'is already used' }]);
}

/** Builds the rows of an entity that is written as rows. @throws FailureError with everything that a world would be refused for. */
function complete<C extends Collection>(
  collection: C,
  { alias, id, entity }: { alias: string | undefined; id: string; entity: EntityOf<C> },
  references: References,
  sent: Members,
): Next<C> {
  const named = new Set(Object.keys(sent));
  const problems: WorldProblem[] = [];
  const problem: Check['problem'] = (steps, reason) => problems.push({ pointer: toPointer(steps), reason });
  if (entityType(collection).useCases) {
    const ids = referencesOf(collection, entity).map((reference) => [reference.member, references.find(reference)?.id]);
    return { alias, id, entity, named, ids: Object.fromEntries(ids) } as unknown as Next<C>;
  }
  checkTexts(entity, [], problem);
  const check: Check = {
    taken: new Map(),
    problem,
    // Only worlds have a default: the service sets the instants of what is written.
    instant: (value = DEFAULT_EPOCH) => value,
    resolve: (reference) => references.find(reference)?.id,
    row: (referred, referredId) => references.row(referred, referredId),
  };
  const built = buildRows(collection, { alias: alias ?? id, id, entity }, check);
  if (problems.length > 0) throwInvalid(problems);
  return { ...built!, named };
}
