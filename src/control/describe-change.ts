import { formatPlural } from '../contract/format-plural.ts';
import type { components } from '../contract/generated/control.ts';
import type { ControlOperationId } from '../contract/generated/control-operations.ts';
import type { Position } from '../service/undo.ts';
import type { Executor } from '../store/engine.ts';
import { findNames, type Names } from '../world/names.ts';
import { type Collection, SINGULAR_NOUNS } from '../world/world.ts';

type Undoable = components['schemas']['Undoable'];
type NamedChange = components['schemas']['NamedChange'];

/** @param values the members of the request's path and body */
export function describeLoad(operationId: ControlOperationId, values: Readonly<Record<string, unknown>>): string {
  const { to = 'seed', scenario, name = 'world.yaml' } = values;
  if (operationId === 'loadScenario') return `The scenario ${scenario} was loaded.`;
  if (operationId === 'uploadWorld') return `The world file ${name} was loaded.`;
  if (operationId !== 'reset') return 'Another world was loaded.';
  if (to === 'seed') return 'The world was reset to its initial state.';
  return to === 'empty' ? 'The world was emptied.' : `The snapshot ${to} was loaded.`;
}

/**
 * Describes the changes after the end `before` of the history.
 * @param of.names the names of the entities in the request before it changed the world
 */
export async function describeChanges(
  tx: Executor,
  before: Pick<Position, 'event' | 'change'>,
  of: { readonly request: string; readonly names: Names },
): Promise<Pick<Undoable, 'text' | 'changes'>> {
  const changed = await tx.selectFrom('changes').selectAll().where('id', '>', before.change).orderBy('id').execute();
  const published = await tx
    .selectFrom('events')
    .select(['type', 'entity_id', 'actor', 'data'])
    .where('id', '>', before.event)
    .where('type', 'like', 'experience.%')
    .orderBy('id')
    .execute();
  const names: Names = { ...of.names, ...(await findNames(tx, JSON.stringify([changed.map(({ entity_id }) => entity_id), published]))) };
  const changes = changed.map(({ collection, entity_id: entityId, alias, action, actor, difference }): NamedChange => {
    const { name } = names[entityId] ?? names[`${collection}/${encodeURIComponent(alias)}`] ?? { name: alias };
    return {
      collection: collection as Collection,
      entityId,
      name,
      action,
      actor,
      ...(difference && { difference: JSON.parse(difference) }),
    };
  });
  const ownerNames: Readonly<Record<string, { readonly name: string }>> = {
    ...names,
    ...Object.fromEntries(changes.map(({ entityId, name }) => [entityId, { name }])),
  };
  for (const { type, entity_id: entityId, actor, data } of published) {
    const [, noun, what] = type.split('.');
    const collection = noun === 'connection' ? 'connections' : 'assignments';
    const { accountId, targetValue = accountId, experienceName } = JSON.parse(data) as Readonly<Record<string, string | undefined>>;
    const owner = ownerNames[targetValue ?? '']?.name ?? targetValue;
    const name = names[entityId]?.name ?? `${owner} – ${experienceName}`;
    changes.push({ collection, entityId, name, actor: actor ?? 'platform', ...describeEvent(what) });
  }
  const [first, ...others] = changes;
  if (first === undefined) return { text: of.request, changes };
  const state = first.difference?.state?.after;
  const verb = typeof state === 'string' ? `set to ${state}` : first.action;
  const rest = others.length === 0 ? '' : `, with ${formatPlural(others.length, 'more change')}`;
  return { text: `The ${SINGULAR_NOUNS[first.collection]} ${first.name} was ${verb} by the ${first.actor}${rest}.`, changes };
}

function describeEvent(what: string | undefined): Pick<NamedChange, 'action' | 'difference'> {
  if (what === 'created' || what === 'deleted') return { action: what };
  const [before, after] = what === 'activated' ? ['INACTIVE', 'ACTIVE'] : ['ACTIVE', 'INACTIVE'];
  return { action: 'changed', difference: { state: { before, after } } };
}
