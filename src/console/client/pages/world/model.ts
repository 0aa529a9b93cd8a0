import { type EntityForm, entityForms } from '../../../../contract/generated/entity-forms.ts';
import { call, type Schemas } from '../../kit/control.ts';
import { getName } from '../../kit/names.ts';
import type { Members } from '../../ui/form.tsx';
import { buildHref } from '../../ui/page.tsx';

export type Collection = Schemas['Collection'];
export type Actor = EntityForm['actor'];
export type Entity = Members & { readonly alias: string; readonly id?: string };
/** The members by which a list can be filtered. */
export const ownerNames = ['provider', 'account', 'experience', 'target'] as const;
export type Owner = (typeof ownerNames)[number];

export const collections = Object.keys(entityForms) as readonly Collection[];

export const buildListHref = (collection: Collection, query?: Readonly<Record<string, string | undefined>>) =>
  buildHref(`/world/${collection}`, query);
export const buildEntityHref = (collection: Collection, name: string) => buildHref(`/world/${collection}/${encodeURIComponent(name)}`);
/** Returns what requests and links contain: the entity's id, or the alias of a telephone number, which has no id. */
export const getKey = ({ id, alias }: Entity) => id ?? alias;

/** Returns what people call the entity. */
export const describe = ({ id = '', alias }: Entity) => (id && getName(id)?.name) || alias;

const TARGET_COLLECTIONS: Readonly<Record<string, Collection>> = { ACCOUNT: 'accounts', USER: 'users', PHONE_NUMBER: 'telephoneNumbers' };

export function getReferredCollection(collection: Collection, member: string, entity: Members): Collection | undefined {
  if (collection === 'assignments' && member === 'target') return TARGET_COLLECTIONS[String(entity.targetType)];
  return entityForms[collection].references[member];
}

/** @param entity undefined for a new entity */
export function listEditableMembers(collection: Collection, entity?: Entity): readonly string[] {
  const { members, fixed, generated } = entityForms[collection];
  return Object.keys(members).filter((member) => !generated.includes(member) && !(entity && fixed.includes(member)));
}

interface Page {
  readonly entities: readonly Entity[];
  /** The value of `after` for the next page; undefined on the last page. */
  readonly next: string | undefined;
}

export async function listEntities(
  collection: Collection,
  { limit, ...query }: { limit: number; after?: string; search?: string } & { [Kind in Owner]?: string },
): Promise<Page> {
  const found = Object.entries(await call('listCollection', { collection, ...query, limit: limit + 1 }));
  // JavaScript objects list integer-like names first, so the order must be restored.
  if (found.some(([alias]) => /^\d+$/.test(alias))) found.sort(([one], [other]) => (one < other ? -1 : 1));
  const entities = found.slice(0, limit).map(([alias, members]) => ({ alias, ...members }) as Entity);
  return { entities, next: found.length > limit ? entities.at(-1)?.alias : undefined };
}
