import fc from 'fast-check';
import type { PathForm } from '../contract/generated/operations.ts';
import type { TokenName } from './side.ts';
import type { Target } from './world.ts';

/** What a command does, in the order in which shrinking prefers it. */
const KINDS = {
  'create connection': 6,
  'update connection': 7,
  'delete connection': 4,
  'create assignment': 8,
  'delete assignment': 6,
  'create user': 3,
  'rename user': 3,
  'create number': 2,
  'remove target': 4,
  'create account': 2,
} as const;
export type Kind = keyof typeof KINDS;

/** The numbers choose among what exists when the command runs, so that a shortened sequence stays meaningful. */
export interface Command {
  readonly kind: Kind;
  readonly origin: 'api' | 'portal' | 'platform';
  readonly as: TokenName;
  readonly form: PathForm;
  readonly picks: readonly [number, number, number];
  /** Whether the command chooses among what belongs to the account and the Experience of the previous command. */
  readonly follows: boolean;
  /** The type of the target that the command assigns. Undefined: any. */
  readonly type?: Target['type'] | undefined;
  /** How many clients send the command at the same moment. If more than one, and if the next command may meet it, one client sends each. */
  readonly times: number;
  /** Whether the next command follows without a look at the entities. */
  readonly hurries: boolean;
}

interface CommandSettings {
  readonly forms: readonly PathForm[];
  readonly most: number;
  readonly isParallel: boolean;
}

/** Kinds whose third number makes them do something that is otherwise seldom: connect the same account with any Experience, or remove it. */
const ROLES = {
  'second connection': { kind: 'create connection', third: 2 },
  'remove account': { kind: 'remove target', third: 1 },
} as const;

/** What seldom follows from chance: the life of an account, of its users, and what a number's assignments prevent. */
const STORIES: readonly (readonly (Kind | Target['type'] | keyof typeof ROLES)[])[] = [
  ['create account', 'create connection', 'second connection', 'remove account'],
  ['create account', 'create connection', 'update connection', 'remove account'],
  ['create account', 'create number', 'create connection', 'PHONE_NUMBER', 'remove target'],
  ['create account', 'create connection', 'create connection', 'create user', 'remove target'],
  ['create user', 'USER', 'rename user', 'remove target'],
  ['create connection', 'PHONE_NUMBER', 'delete connection', 'delete assignment', 'delete connection'],
  ['create connection', 'create connection', 'update connection', 'update connection'],
  ['create connection', 'ACCOUNT', 'create user', 'remove target'],
  ['create connection', 'update connection', 'ACCOUNT', 'create user', 'delete connection'],
  ['USER', 'ACCOUNT', 'delete assignment'],
  ['PHONE_NUMBER', 'ACCOUNT', 'delete assignment'],
  ['PHONE_NUMBER', 'PHONE_NUMBER', 'USER', 'delete assignment'],
  ['USER', 'USER', 'ACCOUNT'],
];

export function createSequences({ forms, most, isParallel }: CommandSettings): fc.Arbitrary<readonly Command[]> {
  const weigh = <Value>(value: Value, weight: number) => ({ arbitrary: fc.constant(value), weight });
  const createCommand = (kind: fc.Arbitrary<Kind>, follows: fc.Arbitrary<boolean>, first: fc.Arbitrary<number>) =>
    fc.record<Command>({
      kind,
      origin: fc.oneof(weigh('api' as const, 5), weigh('portal' as const, 2), weigh('platform' as const, 2)),
      as: fc.oneof(weigh('manager' as const, 16), weigh('reader' as const, 1), weigh('outsider' as const, 1)),
      form: fc.constantFrom(...forms),
      follows,
      picks: fc.tuple(first, fc.nat(30), fc.nat(30)),
      times: isParallel ? fc.oneof(weigh(1, 9), weigh(2, 1), weigh(3, 1), weigh(4, 1)) : fc.constant(1),
      hurries: fc.boolean(),
    });
  const kinds = fc.oneof(...Object.entries(KINDS).map(([kind, weight]) => weigh(kind as Kind, weight)));
  const command = createCommand(kinds, fc.oneof(weigh(true, 2), weigh(false, 1)), fc.nat(30));
  // Shortening replaces commands with `null`.
  const optional = (each: fc.Arbitrary<Command>) => fc.option(each, { freq: 50 });
  // The first entities are the newest.
  const newest = fc.oneof(weigh(0, 2), { arbitrary: fc.nat(30), weight: 1 });
  const tell = (story: (typeof STORIES)[number]) =>
    fc.tuple(
      ...story.map((part) => {
        const isType = part === 'ACCOUNT' || part === 'USER' || part === 'PHONE_NUMBER';
        const role = part in ROLES ? ROLES[part as keyof typeof ROLES] : undefined;
        const kind = role?.kind ?? (isType ? 'create assignment' : (part as Kind));
        return optional(
          createCommand(fc.constant(kind), fc.constant(true), newest).map(({ picks: [one, two, three], ...rest }) => ({
            ...{ ...rest, picks: [one, two, role?.third ?? three] },
            ...(isType && { type: part }),
          })),
        );
      }),
    );
  const part = fc.oneof(
    { arbitrary: fc.tuple(optional(command)), weight: 60 },
    ...STORIES.map((story) => ({ arbitrary: tell(story), weight: 1 })),
  );
  return fc.array(part, { minLength: most, maxLength: most }).map((parts) =>
    parts
      .flat()
      .filter((each) => each !== null)
      .slice(0, most),
  );
}
