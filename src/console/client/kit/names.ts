import { signal } from '@preact/signals';
import { call, type Schemas } from './control.ts';
import { onMessage } from './stream.ts';

type Name = Schemas['Names'][string];

/** One request can name this many entities. Others are named again when they are shown again. */
const MAX_RELOADED = 2000;

const names = signal<Readonly<Record<string, Name | undefined>>>({});
const requested = new Set<string>();
let waiting: string[] = [];

/** Entities of another world may have the same ids. */
onMessage('connected', () => {
  requested.clear();
  for (const id of Object.keys(names.value).slice(-MAX_RELOADED)) requestName(id);
});

/** Returns an entity's name, or undefined until it has been loaded and if there is no such entity. */
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
      names.value = { ...names.value, ...Object.fromEntries(ids.map((each) => [each, undefined])), ...found };
    } catch {
      // The page shows ids until the names can be loaded.
      for (const each of ids) requested.delete(each);
    }
  });
}

type Collection = Schemas['Collection'];

const MAX_SUGGESTIONS = 20;

/** Returns a function that finds aliases in the collections. Only matching aliases are loaded, because a world may have many. */
export const suggestAliases =
  (...collections: readonly Collection[]) =>
  async (text: string): Promise<readonly string[]> => {
    const query = { limit: MAX_SUGGESTIONS, ...(text !== '' && { search: text }) };
    const found = await Promise.all(collections.map((collection) => call('listCollection', { collection, ...query })));
    return found.flatMap(Object.keys);
  };
