/** What was found out about tokens, by their text; when it is full, one that was not used of late goes. */
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

interface Entry<Found> {
  readonly found: Found;
  used: boolean;
}

/**
 * A use only leaves a mark; the order, oldest first, changes when room is made, and then the marked ones get a second chance. To move an entry at
 * every use makes one hot token among thousands ten times slower.
 */
export function createTokenCache<Found extends object>(limits: CacheLimits): TokenCache<Found> {
  const entries = new Map<string, Entry<Found>>();
  let characters = 0;

  function drop(text: string): void {
    if (entries.delete(text)) characters -= text.length;
  }

  function makeRoom(needed: number): void {
    // Ends: a marked entry comes round without its mark, and what is appended is visited by the same iteration.
    for (const [text, entry] of entries) {
      if (entries.size < limits.entries && characters + needed <= limits.characters) return;
      if (entry.used) {
        entries.delete(text);
        entries.set(text, { found: entry.found, used: false });
      } else {
        drop(text);
      }
    }
  }

  return {
    get(text) {
      const entry = entries.get(text);
      if (entry === undefined) return undefined;
      entry.used = true;
      return entry.found;
    },
    set(text, found) {
      drop(text);
      if (limits.entries < 1 || text.length > limits.characters) return;
      makeRoom(text.length);
      entries.set(text, { found, used: false });
      characters += text.length;
    },
    get size() {
      return entries.size;
    },
    get characters() {
      return characters;
    },
  };
}
