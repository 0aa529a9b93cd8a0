export interface UserChange {
  readonly user: string;
  /** @returns the user's new value; undefined if the service must refuse the change */
  readonly predictValue: (oldValue: string) => string | undefined;
}

/** @param value an empty string if the user does not exist */
const formatValue = (value: string): string => (value === '' ? 'absent' : `"${value}"`);

/** The possible values of each user. There can be several, because a replacement of the world may undo a concurrent write. */
export type PossibleUsers = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Creates a model that predicts a world's users. Changes to one user must not overlap.
 * @param start each user's initial value; no other users can be added
 */
export function createModel(start: ReadonlyMap<string, string>) {
  let now = new Map<string, ReadonlySet<string>>([...start].map(([user, value]) => [user, new Set([value])]));
  let before: PossibleUsers = now;
  let replacing = false;
  const underWay = new Set<UserChange>();
  /** The changes in progress while the world is being copied or replaced. The result may or may not contain each of them. */
  let overlapping: Set<UserChange> | undefined;

  const listValues = (content: PossibleUsers, user: string) => [...(content.get(user) ?? [])];

  function addPossibleValues(content: Map<string, ReadonlySet<string>>, { user, predictValue }: UserChange): void {
    const values = listValues(content, user);
    content.set(user, new Set([...values, ...values.map(predictValue).filter((value) => value !== undefined)]));
  }

  /** Returns a copy of `content` that also contains the values that overlapping changes may have caused. */
  function finishAction(content: PossibleUsers): Map<string, ReadonlySet<string>> {
    const widened = new Map(content);
    for (const { user } of overlapping ?? []) widened.set(user, new Set([content, before, now].flatMap((it) => listValues(it, user))));
    for (const change of overlapping ?? []) addPossibleValues(widened, change);
    overlapping = undefined;
    replacing = false;
    return widened;
  }

  return {
    /**
     * Records a change before it is sent.
     * @returns a function that compares the kit's decision with the prediction, and returns a message if they differ
     */
    recordChange(change: UserChange): (accepted: boolean) => string | undefined {
      underWay.add(change);
      overlapping?.add(change);
      const sentTo = now;
      return (accepted) => {
        underWay.delete(change);
        if (replacing || now !== sentTo) return void addPossibleValues(now, change);
        const values = listValues(now, change.user);
        const possible = values.filter((value) => (change.predictValue(value) !== undefined) === accepted);
        if (possible.length === 0)
          return `${accepted ? 'accepted' : 'refused'}, but the user was ${values.map(formatValue).join(' or ') || 'absent'}`;
        now.set(change.user, new Set(accepted ? possible.map((value) => change.predictValue(value)!) : possible));
        return undefined;
      };
    },
    /** Records that the world is about to be copied or replaced. */
    startAction(action: 'copy' | 'replace'): void {
      before = new Map(now);
      replacing = action === 'replace';
      overlapping = new Set(underWay);
    },
    finishCopy: (): PossibleUsers => finishAction(now),
    finishReplacement(content: PossibleUsers): void {
      now = finishAction(content);
    },
    /**
     * Compares the predicted users with the actual users, and adopts the actual ones. No request may be pending.
     * @returns the differences
     */
    compare(actual: ReadonlyMap<string, string>): string[] {
      const users = new Set([...now.keys(), ...actual.keys()]);
      const differences = [...users].filter((user) => !now.get(user)?.has(actual.get(user) ?? ''));
      const texts = differences.map((user) => `${user} is "${actual.get(user) ?? ''}", not "${listValues(now, user).join('" or "')}"`);
      now = new Map([...users].map((user) => [user, new Set([actual.get(user) ?? ''])]));
      return texts;
    },
  };
}
