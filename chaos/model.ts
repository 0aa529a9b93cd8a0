/** A request that changes one user. */
export interface Change {
  readonly user: string;
  /** @returns the value of the user after the change, or undefined if the service must refuse the change */
  readonly apply: (before: string) => string | undefined;
}

/** The possible values of each user. Users have several if a write and a replacement of the world ran at the same time. */
export type Image = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Creates a model that predicts the users of a world while writers change them and an operator copies or replaces the world.
 *
 * @param start the value of each user; others cannot be added. Each user has one writer, which sends one change at a time.
 */
export function createModel(start: ReadonlyMap<string, string>) {
  let now = new Map<string, ReadonlySet<string>>([...start].map(([user, value]) => [user, new Set([value])]));
  let before: Image = now;
  let replacing = false;
  const underWay = new Set<Change>();
  /** The changes that were running at any time since `open`, so that the copy or replacement may or may not include them. */
  let overlapping: Set<Change> | undefined;

  const valuesOf = (image: Image, user: string) => [...(image.get(user) ?? [])];

  /** Adds the values of a user after a change that may or may not have been applied. */
  function widen(image: Map<string, ReadonlySet<string>>, { user, apply }: Change): void {
    const values = valuesOf(image, user);
    image.set(user, new Set([...values, ...values.map(apply).filter((value) => value !== undefined)]));
  }

  /** Widens an image that was copied or loaded at an unknown time between the overlapping changes. */
  function close(image: Image): Map<string, ReadonlySet<string>> {
    const widened = new Map(image);
    for (const { user } of overlapping ?? []) widened.set(user, new Set([image, before, now].flatMap((it) => valuesOf(it, user))));
    for (const change of overlapping ?? []) widen(widened, change);
    overlapping = undefined;
    replacing = false;
    return widened;
  }

  return {
    /** Records a change that is about to be sent. @returns a function that verifies the outcome, and returns a message if it is wrong */
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
    /** Records that the copy is complete. @returns what the copy can contain */
    copied: (): Image => close(now),
    /** Records that the replacement is complete. @param by what the new world can contain */
    replaced(by: Image): void {
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
