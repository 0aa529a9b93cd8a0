import { signal } from '@preact/signals';
import { type EntityForm, entityForms } from '../../../../contract/generated/entity-forms.ts';
import { control, dataOf, type Schemas } from '../../kit/control.ts';
import { paced } from '../../kit/pace.ts';
import { onMessage } from '../../kit/stream.ts';
import { hrefOf } from '../../ui/href.ts';

export type Collection = Schemas['Collection'];
export type Actor = EntityForm['actor'];
export type Members = Readonly<Record<string, unknown>>;
export type Entity = Members & { readonly alias: string; readonly id?: string };
/** The entities by which a list can be selected. */
export const owners = ['provider', 'account', 'experience', 'target'] as const;
export type Owner = (typeof owners)[number];

export const collections = Object.keys(entityForms) as readonly Collection[];

/** Counts the changes of the world, so that what was loaded is loaded again. */
export const changes = signal(0);
export const worldChanged = () => void changes.value++;

// Other clients change the world, too.
onMessage('event', paced(worldChanged).soon);

/** The name of a member or a collection for people: `firstName` is First name. */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(/\b(id|uri|url)(s?)\b/g, (_, word, s) => word.toUpperCase() + s);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const listHref = (collection: Collection, query?: Readonly<Record<string, string | undefined>>) =>
  hrefOf(`/world/${collection}`, query);
export const entityHref = (collection: Collection, name: string) => hrefOf(`/world/${collection}/${encodeURIComponent(name)}`);
/** The name of an entity in requests and addresses. A telephone number has no id. */
export const nameOf = ({ id, alias }: Entity) => id ?? alias;

const TARGETS: Readonly<Record<string, Collection>> = { ACCOUNT: 'accounts', USER: 'users', PHONE_NUMBER: 'telephoneNumbers' };

/** The collection of the entity that a member names. Undefined if the member names no entity. */
export function referredBy(collection: Collection, member: string, entity: Members): Collection | undefined {
  if (collection === 'assignments' && member === 'target') return TARGETS[String(entity.targetType)];
  return entityForms[collection].references[member];
}

/** The members that a form can set. @param entity undefined for a new entity */
export function editableMembers(collection: Collection, entity?: Entity): readonly string[] {
  const { members, fixed, generated } = entityForms[collection];
  return Object.keys(members).filter((member) => !generated.includes(member) && !(entity && fixed.includes(member)));
}

interface Page {
  readonly entities: readonly Entity[];
  /** The alias after which the next page begins. Undefined if there is none. */
  readonly next: string | undefined;
}

/** Loads a page of a collection. */
export async function listEntities(
  collection: Collection,
  { limit, ...query }: { limit: number; after?: string; search?: string } & { [Kind in Owner]?: string },
): Promise<Page> {
  const call = control.GET('/_control/state/{collection}', { params: { path: { collection }, query: { ...query, limit: limit + 1 } } });
  const found = Object.entries(await dataOf(call));
  // JavaScript moves the members of an object that look like an index to its start.
  if (found.some(([alias]) => /^\d+$/.test(alias))) found.sort(([one], [other]) => (one < other ? -1 : 1));
  const entities = found.slice(0, limit).map(([alias, members]) => ({ alias, ...members }) as Entity);
  return { entities, next: found.length > limit ? entities.at(-1)?.alias : undefined };
}
