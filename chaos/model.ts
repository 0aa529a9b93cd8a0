/** A change of one user. */
export interface Change {
  readonly user: string;
  /** @returns the value of the user afterwards, or undefined if the service refuses the change */
  readonly apply: (before: string) => string | undefined;
}

/** The values that each user can have: exactly one, unless writes and a replacement of the world ran at the same time. */
export type Image = ReadonlyMap<string, ReadonlySet<string>>;

/** What the users of a world should be while writers change them and an operator copies and replaces the world. */
export interface Model {
  /** Records a change that is about to be sent. @returns a function that verifies its answer: it returns a message if the answer is wrong */
  send(change: Change): (accepted: boolean) => string | undefined;
  /** Records that the world is about to be copied or replaced. */
  open(action: 'copy' | 'replace'): void;
  /** Records that the world was copied. */
  copied(): Image;
  /** Records that the world was replaced. */
  replaced(by: Image): void;
  /** Compares with the real users while nothing is under way, and continues with these. @returns the differences */
  compare(real: ReadonlyMap<string, string>): string[];
}

/** @param start values by user; no user is ever added. Each user has one writer, which sends one change at a time. */
export function createModel(start: ReadonlyMap<string, string>): Model {
  let now = new Map<string, ReadonlySet<string>>([...start].map(([user, value]) => [user, new Set([value])]));
  let before: Image = now;
  let replacing = false;
  const underWay = new Set<Change>();
  /** Changes that were under way at any time since `open`. */
  let overlapping: Set<Change> | undefined;

  const valuesOf = (image: Image, user: string) => [...(image.get(user) ?? [])];

  /** The change may have been applied or not. */
  function widen(image: Map<string, ReadonlySet<string>>, { user, apply }: Change): void {
    const values = valuesOf(image, user);
    image.set(user, new Set([...values, ...values.map(apply).filter((value) => value !== undefined)]));
  }

  /** The image after it was copied or loaded at an unknown time between the changes. */
  function close(image: Image): Map<string, ReadonlySet<string>> {
    const widened = new Map(image);
    for (const { user } of overlapping ?? []) widened.set(user, new Set([image, before, now].flatMap((it) => valuesOf(it, user))));
    for (const change of overlapping ?? []) widen(widened, change);
    overlapping = undefined;
    replacing = false;
    return widened;
  }

  return {
    send(change) {
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
    open(action) {
      before = new Map(now);
      replacing = action === 'replace';
      overlapping = new Set(underWay);
    },
    copied: () => close(now),
    replaced(by) {
      now = close(by);
    },
    compare(real) {
      const users = new Set([...now.keys(), ...real.keys()]);
      const differences = [...users].filter((user) => !now.get(user)?.has(real.get(user) ?? ''));
      const texts = differences.map((user) => `${user} is "${real.get(user) ?? ''}", not "${valuesOf(now, user).join('" or "')}"`);
      now = new Map([...users].map((user) => [user, new Set([real.get(user) ?? ''])]));
      return texts;
    },
  };
}
