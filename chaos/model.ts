/** A request that changes one user. */
export interface Change {
  readonly user: string;
  /** @returns the value of the user after the change, or undefined if the service must refuse the change */
  readonly apply: (before: string) => string | undefined;
}

/** The possible values of each user. A user has several possible values if a write overlapped a replacement of the world. */
export type PossibleUsers = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Creates a model that predicts the users of a world while writers change users and an operator copies or replaces the world. Each user has
 * one writer, which sends one change at a time.
 * @param start the value of each user; no other users can be added
 */
export function createModel(start: ReadonlyMap<string, string>) {
  let now = new Map<string, ReadonlySet<string>>([...start].map(([user, value]) => [user, new Set([value])]));
  let before: PossibleUsers = now;
  let replacing = false;
  const underWay = new Set<Change>();
  /** The changes that have been running at any time since `open` was called. The copy or replacement may contain any of these changes. */
  let overlapping: Set<Change> | undefined;

  const valuesOf = (content: PossibleUsers, user: string) => [...(content.get(user) ?? [])];

  /** Adds the values that a user has if a change was applied. The previous values remain possible. */
  function widen(content: Map<string, ReadonlySet<string>>, { user, apply }: Change): void {
    const values = valuesOf(content, user);
    content.set(user, new Set([...values, ...values.map(apply).filter((value) => value !== undefined)]));
  }

  /**
   * Returns the content that results from a copy or replacement. For users with overlapping changes, the values before and after each change
   * are possible.
   */
  function close(content: PossibleUsers): Map<string, ReadonlySet<string>> {
    const widened = new Map(content);
    for (const { user } of overlapping ?? []) widened.set(user, new Set([content, before, now].flatMap((it) => valuesOf(it, user))));
    for (const change of overlapping ?? []) widen(widened, change);
    overlapping = undefined;
    replacing = false;
    return widened;
  }

  return {
    /**
     * Records a change that is about to be sent.
     * @returns a function that takes the answer of the kit, and returns a message if the answer is wrong
     */
    send(change: Change): (accepted: boolean) => string | undefined {
      underWay.add(change);
      overlapping?.add(change);
      const sentTo = now;
      return (accepted) => {
        underWay.delete(change);
        if (replacing || now !== sentTo) return void widen(now, change);
        const values = valuesOf(now, change.user);
        const possible = values.filter((value) => (change.apply(value) !== undefined) === accepted);
        if (possible.length === 0) return `${accepted ? 'accepted' : 'refused'}, but the user was ${values.join(' or ') || 'absent'}`;
        now.set(change.user, new Set(accepted ? possible.map((value) => change.apply(value)!) : possible));
        return undefined;
      };
    },
    /** Records that the world is about to be copied or replaced. */
    open(action: 'copy' | 'replace'): void {
      before = new Map(now);
      replacing = action === 'replace';
      overlapping = new Set(underWay);
    },
    /** Records that the copy is complete. @returns the possible content of the copy */
    copied: (): PossibleUsers => close(now),
    /** Records that the replacement is complete. @param by the possible content of the new world */
    replaced(by: PossibleUsers): void {
      now = close(by);
    },
    /** Compares the prediction with the real users, and continues from the real users. No request may be running. @returns the differences */
    compare(real: ReadonlyMap<string, string>): string[] {
      const users = new Set([...now.keys(), ...real.keys()]);
      const differences = [...users].filter((user) => !now.get(user)?.has(real.get(user) ?? ''));
      const texts = differences.map((user) => `${user} is "${real.get(user) ?? ''}", not "${valuesOf(now, user).join('" or "')}"`);
      now = new Map([...users].map((user) => [user, new Set([real.get(user) ?? ''])]));
      return texts;
    },
  };
}
