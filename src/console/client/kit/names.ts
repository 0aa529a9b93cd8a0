import { signal } from '@preact/signals';
import { call, type Schemas } from './control.ts';
import { onMessage } from './stream.ts';

type Name = Schemas['Names'][string];
type Collection = Schemas['Collection'];

/** One request can name this many entities. Others are named again when they are shown again. */
const MAX_RELOADED = 2000;

const names = signal<Readonly<Record<string, Name | undefined>>>({});
const requested = new Set<string>();
let waiting: string[] = [];

/** Call this after a change of the world. */
export function reloadNames(): void {
  requested.clear();
  for (const id of Object.keys(names.value).slice(-MAX_RELOADED)) requestName(id);
}
// Entities of another world may have the same ids.
onMessage('connected', reloadNames);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the name of the entity to which another one refers, or `text`, its alias or id, if it has no name. */
export const nameReference = (collection: Collection, text: string): string =>
  (collection === 'telephoneNumbers' ? undefined : getName(UUID.test(text) ? text : `${collection}/${encodeURIComponent(text)}`))?.name ??
  text;

/**
 * Returns an entity's name, or undefined until it has been loaded and if there is no such entity.
 * @param id an id, or a collection with an alias, such as `users/ada`
 */
export function getName(id: string): Name | undefined {
  if (!requested.has(id)) requestName(id);
  return names.value[id];
}

/** Loads all names that a page needs with one request. */
function requestName(id: string): void {
  requested.add(id);
  if (waiting.push(id) > 1) return;
  setTimeout(async () => {
    const ids = waiting;
    waiting = [];
    try {
      const found = await call('findNames', { text: ids.join(' ') });
      // A deleted entity keeps its name.
      names.value = { ...names.value, ...found };
    } catch {
      // The page shows ids until the names can be loaded.
      for (const each of ids) requested.delete(each);
    }
  });
}

const MAX_SUGGESTIONS = 20;

/** Returns a function that finds the names of entities, with their aliases. An alias stands for a name that several entities have. */
export const suggestNames =
  (...collections: Collection[]) =>
  async (search: string): Promise<readonly (readonly [value: string, label: string])[]> => {
    // Every alias with its name contains a space.
    const found = Object.values(await call('findNames', { search: search || ' ', collections, limit: MAX_SUGGESTIONS }));
    const counts = Map.groupBy(found, ({ name }) => name);
    return found.map(({ name, alias }) => (counts.get(name)?.length === 1 ? [name, alias] : [alias, name]));
  };
