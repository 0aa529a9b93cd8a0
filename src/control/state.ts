import { didYouMean } from '../contract/did-you-mean.ts';
import type { GateRefusal } from '../http/answer.ts';
import { countEntities } from '../store/counts.ts';
import type { Change } from '../world/change.ts';
import { compileWorld } from '../world/compile.ts';
import { dumpCollection, dumpWorld, findEntity } from '../world/dump.ts';
import { replaceWorld } from '../world/load.ts';
import type { WorldProblem } from '../world/problem.ts';
import { hintFor } from '../world/references.ts';
import type { StateRefusal } from '../world/refusal.ts';
import { schemaProblems } from '../world/schema-problems.ts';
import { worldValidator } from '../world/schemas.ts';
import { type Collection, SINGULAR } from '../world/world.ts';
import { actorOn, deleteEntity as remove, writeEntity } from '../world/write.ts';
import type { ControlAnswer, ControlDeps, ControlHandlers, ControlRequest } from './handler.ts';

type Deps = Pick<ControlDeps, 'store' | 'service' | 'world' | 'forget'>;

/** GET /_control/state: the whole state as a world. */
export async function dumpState(_: ControlRequest, { store }: Deps): Promise<ControlAnswer> {
  return { status: 200, body: await store.read(dumpWorld) };
}

/** PUT /_control/state: replaces the whole state by a world, and publishes nothing. A world that cannot be leaves everything as it was. */
export async function loadState({ body }: ControlRequest, { store, world, forget }: Deps): Promise<ControlAnswer> {
  const validate = worldValidator();
  if (!validate(body)) return refuseWorld(schemaProblems(validate.errors ?? []));
  const { rows, problems } = compileWorld(body);
  if (problems) return refuseWorld(problems);
  await store.replace(async (tx) => {
    await replaceWorld(tx, rows);
    await world.restarted(tx);
  });
  await world.reload();
  // Kit time may have gone back, and what is remembered by kit time would wait for it.
  forget();
  return { status: 200, body: { world: body.world, entities: await countEntities(store.db) } };
}

/** More would only hide the first, which is often the cause of the rest. */
const SHOWN = 50;

function refuseWorld(problems: readonly WorldProblem[]): GateRefusal {
  const [first] = problems;
  const more = problems.length > 1 ? ` (${problems.length} problems in all.)` : '';
  const errors = problems.slice(0, SHOWN).map(({ pointer, reason }) => ({ pointer, message: reason }));
  return { gate: 'control.invalid', detail: `${first?.pointer ? `${first.pointer}: ` : ''}${first?.reason}${more}`, errors };
}

/** GET /_control/state/{collection}: its entities by alias. */
export async function listCollection({ params }: ControlRequest, { store }: Deps): Promise<ControlAnswer> {
  const { collection } = params;
  if (!isCollection(collection)) return unknownCollection(collection);
  return { status: 200, body: await store.read((db) => dumpCollection(db, collection)) };
}

/** GET /_control/state/{collection}/{id}: one entity, by id, alias or telephone number. */
export async function readEntity({ params }: ControlRequest, { store }: Deps): Promise<ControlAnswer> {
  const { collection, id = '' } = params;
  if (!isCollection(collection)) return unknownCollection(collection);
  return store.read(async (db): Promise<ControlAnswer> => {
    const found = await findEntity(db, collection, id);
    if (found) return { status: 200, body: { alias: found.alias, ...found.entity } };
    return refused({ refused: 'not-found', detail: `There is no ${SINGULAR[collection]} "${id}".${await hintFor(db, collection, id)}` });
  });
}

/** POST /_control/state/{collection}. The member `alias` may be left out: the id is then the name. */
export function createEntity(request: ControlRequest, deps: Deps): Promise<ControlAnswer> {
  return write(request, deps, { kind: 'create', body: request.body });
}

/** PUT /_control/state/{collection}/{id}: creates under this alias, or replaces. What cannot be changed need not be sent. */
export function putEntity(request: ControlRequest, deps: Deps): Promise<ControlAnswer> {
  return write(request, deps, { kind: 'put', name: request.params.id ?? '', body: request.body });
}

/** PATCH /_control/state/{collection}/{id}: null removes a member; maps of levels are merged entry by entry. */
export function patchEntity(request: ControlRequest, deps: Deps): Promise<ControlAnswer> {
  return write(request, deps, { kind: 'patch', name: request.params.id ?? '', body: request.body });
}

async function write(request: ControlRequest, { service, world }: Deps, change: Change): Promise<ControlAnswer> {
  const target = targetOf(request);
  if ('gate' in target) return target;
  const result = await writeEntity({ context: service(), world }, target.actor, target.collection, change);
  return 'refused' in result ? refused(result) : { status: result.created ? 201 : 200, body: result.entity };
}

/** DELETE /_control/state/{collection}/{id}, with all that goes with it. */
export async function deleteEntity(request: ControlRequest, { service, world }: Deps): Promise<ControlAnswer> {
  const target = targetOf(request);
  if ('gate' in target) return target;
  const result = await remove({ context: service(), world }, target.actor, target.collection, request.params.id ?? '');
  return 'refused' in result ? refused(result) : { status: 204 };
}

function targetOf({ params: { collection }, query: { as } }: ControlRequest) {
  if (!isCollection(collection)) return unknownCollection(collection);
  if (as === undefined || as === 'portal' || as === 'platform') return { collection, actor: actorOn(collection, as) };
  const message = `${JSON.stringify(as)} cannot act. It has to be portal or platform.`;
  return refused({ refused: 'invalid', detail: message, errors: [{ pointer: '?as', message }] });
}

function isCollection(name: string | undefined): name is Collection {
  return name !== undefined && Object.hasOwn(SINGULAR, name);
}

function unknownCollection(name = ''): GateRefusal {
  const known = Object.keys(SINGULAR);
  const hint = didYouMean(name, known) || ` There are: ${known.join(', ')}.`;
  return refused({ refused: 'not-found', detail: `There is no collection "${name}".${hint}` });
}

function refused({ refused: why, detail, errors }: StateRefusal): GateRefusal {
  return { gate: `control.${why}`, detail, ...(errors && { errors }) };
}

/** The state and the entities in it, as the operator reads and writes them. */
export const state = {
  dumpState,
  loadState,
  listCollection,
  createEntity,
  readEntity,
  putEntity,
  patchEntity,
  deleteEntity,
} satisfies Partial<ControlHandlers>;
