/** What was found out about tokens, by their text; when it is full, the least recently used goes. */
export interface TokenCache<Found> {
  get(text: string): Found | undefined;
  set(text: string, found: Found): void;
  /** How many tokens are kept. */
  readonly size: number;
  /** How long their texts are together. */
  readonly characters: number;
}

/** Both limits hold at any time; a text longer than all the characters allowed is not kept. */
export interface CacheLimits {
  readonly entries: number;
  readonly characters: number;
}

export function createTokenCache<Found extends object>(limits: CacheLimits): TokenCache<Found> {
  // A Map iterates in the order of insertion: the first key is the one that was not asked for the longest.
  const found = new Map<string, Found>();
  let characters = 0;

  function drop(text: string): void {
    if (found.delete(text)) characters -= text.length;
  }

  return {
    get(text) {
      const value = found.get(text);
      if (value === undefined) return undefined;
      found.delete(text);
      found.set(text, value);
      return value;
    },
    set(text, value) {
      drop(text);
      found.set(text, value);
      characters += text.length;
      while (found.size > limits.entries || characters > limits.characters) drop(found.keys().next().value!);
    },
    get size() {
      return found.size;
    },
    get characters() {
      return characters;
    },
  };
}
