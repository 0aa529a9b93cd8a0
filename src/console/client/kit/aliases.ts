import { call, type Schemas } from './control.ts';

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
