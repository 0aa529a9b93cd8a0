import type { GateId } from '../contract/generated/gates.ts';
import type { FieldError } from '../contract/outcome.ts';
import { compileWorld } from '../fixtures/compile.ts';
import type { WorldRows } from '../fixtures/compile/rows.ts';
import { dumpCollection, dumpWorld } from '../fixtures/dump.ts';
import { replaceWorld } from '../fixtures/load.ts';
import { didYouMean } from '../fixtures/nearest.ts';
import type { WorldProblem } from '../fixtures/problem.ts';
import { schemaProblems } from '../fixtures/schema-problems.ts';
import { worldValidator } from '../fixtures/schemas.ts';
import { type Collection, SINGULAR, type World } from '../fixtures/world.ts';
import { find, hintFor } from '../service/state/references.ts';
import type { StateRefusal } from '../service/state/refusal.ts';
import { actorOn, deleteEntity as remove, type NamedEntity, type StateDeps, writeEntity } from '../service/state/write.ts';

/** A request to the control API, as far as it is about the state. Nothing in it has been judged. */
export interface StateRequest {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface ControlRefusal {
  readonly gate: Extract<GateId, `control.${string}`>;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

export interface ControlSuccess<Status extends number, Body = undefined> {
  readonly status: Status;
  readonly body: Body;
}

type Answer<Status extends number, Body = undefined> = Promise<ControlSuccess<Status, Body> | ControlRefusal>;

/** GET /_control/state: the whole state as a world. */
export async function dumpState(_: StateRequest, { context }: StateDeps): Answer<200, World> {
  return { status: 200, body: await context.store.read(dumpWorld) };
}

interface Loaded {
  readonly world: string;
  /** How many of each collection. */
  readonly entities: Readonly<Record<Collection, number>>;
}

/** PUT /_control/state: replaces the whole state by a world, and publishes nothing. A world that cannot be leaves everything as it was. */
export async function loadState({ body }: StateRequest, deps: StateDeps): Answer<200, Loaded> {
  const validate = worldValidator();
  if (!validate(body)) return refuseWorld(schemaProblems(validate.errors ?? []));
  const { rows, problems } = compileWorld(body);
  return problems ? refuseWorld(problems) : { status: 200, body: await replaceState(deps, body.world, rows) };
}

/** Makes a compiled world the whole state. Whoever was known by a token is asked anew. */
export async function replaceState({ context, world }: StateDeps, name: string, rows: WorldRows): Promise<Loaded> {
  await context.store.write(async (tx) => {
    await replaceWorld(tx, rows);
    await world.changed(tx);
  });
  await world.reload();
  return { world: name, entities: counts(rows) };
}

function counts(rows: WorldRows): Record<Collection, number> {
  const { telephone_numbers: telephoneNumbers, ...tables } = rows;
  const collections = Object.keys(SINGULAR) as Collection[];
  return Object.fromEntries(
    collections.map((collection) => [collection, collection === 'telephoneNumbers' ? telephoneNumbers.length : tables[collection].length]),
  ) as Record<Collection, number>;
}

/** More would only hide the first, which is often the cause of the rest. */
const SHOWN = 50;

function refuseWorld(problems: readonly WorldProblem[]): ControlRefusal {
  const [first] = problems;
  const more = problems.length > 1 ? ` (${problems.length} problems in all.)` : '';
  const errors = problems.slice(0, SHOWN).map(({ pointer, reason }) => ({ pointer, message: reason }));
  return { gate: 'control.invalid', detail: `${first?.pointer ? `${first.pointer}: ` : ''}${first?.reason}${more}`, errors };
}

/** GET /_control/state/{collection}: its entities by alias. */
export async function listCollection({ params }: StateRequest, { context }: StateDeps): Answer<200, Record<string, object>> {
  const { collection } = params;
  if (!isCollection(collection)) return unknownCollection(collection);
  return { status: 200, body: await context.store.read((db) => dumpCollection(db, collection)) };
}

/** GET /_control/state/{collection}/{id}: one entity, by id, alias or telephone number. */
export async function readEntity({ params }: StateRequest, { context }: StateDeps): Answer<200, NamedEntity> {
  const { collection, id = '' } = params;
  if (!isCollection(collection)) return unknownCollection(collection);
  return context.store.read(async (db) => {
    const found = await find(db, collection, id);
    if (found) return { status: 200 as const, body: { alias: found.alias, ...found.entity } };
    return refused({ refused: 'not-found', detail: `There is no ${SINGULAR[collection]} "${id}".${await hintFor(db, collection, id)}` });
  });
}

/** POST /_control/state/{collection}. The alias may be left out: the id is then the name. */
export async function createEntity(request: StateRequest, deps: StateDeps): Answer<201, NamedEntity> {
  const target = targetOf(request);
  if ('gate' in target) return target;
  const result = await writeEntity(deps, target.actor, target.collection, { kind: 'create', body: request.body });
  return 'refused' in result ? refused(result) : { status: 201, body: result.entity };
}

/** PUT /_control/state/{collection}/{id}: creates under this alias, or replaces. What cannot be changed need not be sent. */
export async function putEntity(request: StateRequest, deps: StateDeps): Answer<200 | 201, NamedEntity> {
  const target = targetOf(request);
  if ('gate' in target) return target;
  const result = await writeEntity(deps, target.actor, target.collection, { kind: 'put', name: target.name, body: request.body });
  return 'refused' in result ? refused(result) : { status: result.created ? 201 : 200, body: result.entity };
}

/** PATCH /_control/state/{collection}/{id}: null removes a member; maps of levels are merged entry by entry. */
export async function patchEntity(request: StateRequest, deps: StateDeps): Answer<200, NamedEntity> {
  const target = targetOf(request);
  if ('gate' in target) return target;
  const result = await writeEntity(deps, target.actor, target.collection, { kind: 'patch', name: target.name, body: request.body });
  return 'refused' in result ? refused(result) : { status: 200, body: result.entity };
}

/** DELETE /_control/state/{collection}/{id}, with all that goes with it. */
export async function deleteEntity(request: StateRequest, deps: StateDeps): Answer<204> {
  const target = targetOf(request);
  if ('gate' in target) return target;
  const result = await remove(deps, target.actor, target.collection, target.name);
  return 'refused' in result ? refused(result) : { status: 204, body: undefined };
}

function targetOf({ params: { collection, id = '' }, query }: StateRequest) {
  if (!isCollection(collection)) return unknownCollection(collection);
  const { as } = query;
  if (as === undefined || as === 'portal' || as === 'platform') return { collection, name: id, actor: actorOn(collection, as) };
  const message = `${JSON.stringify(as)} cannot act. It has to be portal or platform.`;
  return refused({ refused: 'invalid', detail: message, errors: [{ pointer: '?as', message }] });
}

function isCollection(name: string | undefined): name is Collection {
  return name !== undefined && Object.hasOwn(SINGULAR, name);
}

function unknownCollection(name = ''): ControlRefusal {
  const known = Object.keys(SINGULAR);
  const hint = didYouMean(name, known) || ` There are: ${known.join(', ')}.`;
  return refused({ refused: 'not-found', detail: `There is no collection "${name}".${hint}` });
}

function refused({ refused: why, detail, errors }: StateRefusal): ControlRefusal {
  return { gate: `control.${why}`, detail, ...(errors && { errors }) };
}
