/** Results by the text of a token. A full cache drops entries that were not used recently. */
interface TokenCache<Result> {
  get(text: string): Result | undefined;
  set(text: string, result: Result): void;
  /** The number of tokens. */
  readonly size: number;
  /** The total length of their texts. */
  readonly characters: number;
}

/** Both limits always hold. A text longer than `characters` is not kept. */
interface CacheLimits {
  readonly entries: number;
  readonly characters: number;
}

interface Entry<Result> {
  readonly result: Result;
  used: boolean;
}

/**
 * Second-chance eviction: a use only marks an entry, and eviction moves marked entries to the end instead of dropping them. Moving an entry at every
 * use would make a frequent token among thousands ten times slower.
 */
export function createTokenCache<Result extends object>(limits: CacheLimits): TokenCache<Result> {
  const entries = new Map<string, Entry<Result>>();
  let characters = 0;

  function drop(text: string): void {
    if (entries.delete(text)) characters -= text.length;
  }

  function makeRoom(needed: number): void {
    // This ends: the iteration also visits appended entries, and those have lost their mark.
    for (const [text, entry] of entries) {
      if (entries.size < limits.entries && characters + needed <= limits.characters) return;
      if (entry.used) {
        entries.delete(text);
        entries.set(text, { result: entry.result, used: false });
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
      return entry.result;
    },
    set(text, result) {
      drop(text);
      if (limits.entries < 1 || text.length > limits.characters) return;
      makeRoom(text.length);
      entries.set(text, { result, used: false });
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
