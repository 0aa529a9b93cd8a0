import fc from 'fast-check';
import type { PathForm } from '../contract/generated/operations.ts';
import type { TokenName } from './side.ts';
import type { Connection, Target } from './world.ts';

/** What a command does, and how often. */
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
  /** Names what the command creates. What is sent at the same moment may use the next number. */
  readonly number: number;
  readonly kind: Kind;
  readonly origin: 'api' | 'portal' | 'platform';
  readonly as: TokenName;
  readonly form: PathForm;
  readonly picks: readonly [number, number, number];
  /** Whether the command chooses among what belongs to the account and the Experience of the previous command. */
  readonly follows: boolean;
  /** The type of the target that the command assigns. Undefined: any. */
  readonly type?: Target['type'] | undefined;
  /** The new state of a connection. Undefined: mostly the other one. */
  readonly state?: Connection['state'];
  /** How many clients send the command at the same moment. If more than one, and if the next command may meet it, one client sends each. */
  readonly times: number;
  /** Whether the next command follows without a look at the entities. */
  readonly hurries: boolean;
  /** Whether the next command waits until the list of users shows what this one has changed. */
  readonly settles?: boolean | undefined;
  /** Whether the command omits what a request may also contain: read-only members, and ids in capital letters. */
  readonly isPlain?: boolean;
}

interface CommandSettings {
  readonly forms: readonly PathForm[];
  readonly most: number;
  readonly isParallel: boolean;
  /** Selects the stories of the sequence, so that consecutive seeds tell all of them. */
  readonly seed: number;
}

/** The commands of stories. The second and third number choose what they connect, assign or remove (see `toStep`). */
const ROLES = {
  'create connection': { kind: 'create connection', third: 2 },
  'same connection': { kind: 'create connection', third: 1 },
  'connection of another account': { kind: 'create connection', third: 0 },
  'update connection': { kind: 'update connection', second: 1 },
  activate: { kind: 'update connection', second: 1, state: 'ACTIVE' },
  'other state': { kind: 'update connection', second: 1, third: 1 },
  'update what is gone': { kind: 'update connection', second: 4 },
  'delete connection': { kind: 'delete connection', second: 1 },
  'delete assignment': { kind: 'delete assignment', second: 1 },
  'delete again': { kind: 'delete assignment', second: 4 },
  'remove account': { kind: 'remove target', third: 1 },
  'listed user': { kind: 'create user', settles: true },
  'remove account of listed user': { kind: 'remove target', third: 1, settles: true },
  ACCOUNT: { kind: 'create assignment', type: 'ACCOUNT' },
  USER: { kind: 'create assignment', type: 'USER' },
  PHONE_NUMBER: { kind: 'create assignment', type: 'PHONE_NUMBER' },
  AGENT: { kind: 'create assignment', type: 'PHONE_NUMBER', third: 1 },
  'USER of an AGENT': { kind: 'create assignment', type: 'USER', third: 1 },
  'its number': { kind: 'create assignment', type: 'PHONE_NUMBER', third: 0 },
  'its account': { kind: 'create assignment', type: 'ACCOUNT', third: 0 },
  'delete with numbers': { kind: 'delete connection', second: 0, third: 0 },
  'same target elsewhere': { kind: 'create assignment', second: 21, third: 2 },
  'another AGENT': { kind: 'create assignment', second: 0 },
  'another AGENT elsewhere': { kind: 'create assignment', type: 'PHONE_NUMBER', third: 3 },
  'same target for an AGENT': { kind: 'create assignment', second: 21, third: 5 },
  'AGENT at the same moment': { kind: 'create assignment', type: 'PHONE_NUMBER', third: 1, times: 3 },
  'connection at the same moment': { kind: 'create connection', third: 1, times: 2 },
  'same update at the same moment': { kind: 'update connection', second: 1, times: 3 },
  'another update at the same moment': { kind: 'update connection', second: 2, times: 3 },
  'deletion at the same moment': { kind: 'update connection', second: 0, times: 3 },
} as const satisfies Readonly<Record<string, Role>>;
interface Role {
  readonly kind: Kind;
  readonly type?: Target['type'];
  readonly state?: Connection['state'];
  readonly second?: number;
  readonly third?: number;
  /** At least so many. The second number chooses what is sent at the same moment (see `createRival`). */
  readonly times?: number;
  readonly settles?: boolean;
}

/** What seldom follows from chance: the life of an account, of its users, and what a number's assignments prevent. */
const STORIES: readonly (readonly (Kind | keyof typeof ROLES)[])[] = [
  ['create account', 'create connection', 'update connection', 'create connection', 'remove account'],
  ['create connection', 'its number', 'update connection', 'delete with numbers', 'delete assignment', 'delete connection'],
  ['create user', 'USER', 'rename user', 'USER', 'remove target'],
  ['AGENT', 'another AGENT', 'delete assignment', 'another AGENT'],
  ['USER', 'ACCOUNT', 'delete assignment', 'USER'],
  ['create connection', 'same update at the same moment', 'create connection', 'another update at the same moment'],
  ['create user', 'ACCOUNT', 'delete assignment', 'ACCOUNT'],
  ['create account', 'create number', 'create connection', 'PHONE_NUMBER', 'remove account'],
  ['create account', 'create connection', 'activate', 'its account', 'create user'],
  ['PHONE_NUMBER', 'ACCOUNT', 'delete assignment', 'PHONE_NUMBER'],
  ['create connection', 'connection of another account', 'other state', 'update connection'],
  ['create connection', 'other state', 'other state', 'other state'],
  ['create connection', 'AGENT', 'USER', 'delete connection'],
  ['AGENT', 'same connection', 'other state', 'another AGENT'],
  ['create account', 'connection at the same moment', 'create connection', 'remove account'],
  ['create number', 'create connection', 'PHONE_NUMBER', 'remove target', 'delete connection'],
  ['create account', 'listed user', 'USER', 'remove account of listed user'],
  ['AGENT at the same moment', 'delete assignment', 'another AGENT', 'another AGENT'],
  ['create connection', 'delete connection', 'update what is gone', 'same connection'],
  ['create connection', 'update connection', 'same connection', 'update connection'],
  ['PHONE_NUMBER', 'PHONE_NUMBER', 'USER', 'delete assignment'],
  ['create connection', 'update connection', 'ACCOUNT', 'create user', 'delete connection'],
  ['create connection', 'deletion at the same moment', 'same connection', 'deletion at the same moment'],
  ['USER', 'delete assignment', 'delete again', 'USER'],
  ['create user', 'USER', 'same target elsewhere', 'remove target'],
  ['listed user', 'rename user', 'rename user'],
  ['its number', 'same connection', 'delete with numbers', 'delete assignment', 'delete connection'],
  ['create connection', 'ACCOUNT', 'its number', 'delete with numbers'],
  ['ACCOUNT', 'create user', 'rename user', 'remove target'],
  ['create account', 'create connection', 'activate', 'its account', 'create user', 'remove account'],
  ['create number', 'PHONE_NUMBER', 'same target elsewhere', 'remove target'],
  ['create number', 'PHONE_NUMBER', 'PHONE_NUMBER', 'remove target'],
  ['create account', 'create connection', 'delete connection', 'same connection', 'remove account'],
  ['ACCOUNT', 'same target elsewhere', 'create user', 'remove target'],
  ['USER of an AGENT', 'another AGENT', 'delete assignment'],
  ['AGENT', 'another AGENT elsewhere', 'delete assignment', 'another AGENT elsewhere'],
  ['its number', 'same target for an AGENT', 'delete assignment', 'same target for an AGENT'],
];
/** A story has about four commands, and about one follows it. */
const COMMANDS_PER_STORY = 5;
const changesUsers = (part: string): boolean => /user|remove (target|account)/.test(part);
const isAtOnce = (part: string): boolean => part.endsWith('at the same moment');
const PLACES = ['api', 'portal', 'platform'] as const;
/**
 * The places of a story's first four commands, at each telling; a fifth has the first one's. Any two of the commands have each pair of
 * places once (an orthogonal array), so that each place has to know what each other has changed.
 */
const TELLINGS = ['1012', '2021', '0111', '2102', '1201', '0222', '1120', '2210', '0000'];

export function createSequence({ forms, most, isParallel, seed }: CommandSettings): readonly Command[] {
  const weigh = <Value>(value: Value, weight: number) => ({ arbitrary: fc.constant(value), weight });
  const createCommand = (kind: fc.Arbitrary<Kind>, follows: fc.Arbitrary<boolean>, first: fc.Arbitrary<number>, managers = 16) =>
    fc.record<Omit<Command, 'number'>>({
      kind,
      origin: fc.oneof(weigh('api' as const, 5), weigh('portal' as const, 2), weigh('platform' as const, 2)),
      as: fc.oneof(weigh('manager' as const, managers), weigh('reader' as const, 1), weigh('outsider' as const, 1)),
      form: fc.constantFrom(...forms),
      follows,
      picks: fc.tuple(first, fc.nat(30), fc.nat(30)),
      times: isParallel ? fc.oneof(weigh(1, 9), weigh(2, 1), weigh(3, 1), weigh(4, 1)) : fc.constant(1),
      hurries: fc.boolean(),
    });
  const createKinds = (weights: Readonly<Record<Kind, number>>) =>
    fc.oneof(...Object.entries(weights).map(([kind, weight]) => weigh(kind as Kind, weight)));
  const follows = fc.oneof(weigh(true, 2), weigh(false, 1));
  const command = createCommand(createKinds(KINDS), follows, fc.nat(30));
  // The first entities are the newest.
  const newest = fc.oneof(weigh(0, 3), { arbitrary: fc.nat(30), weight: 1 });
  const tellPart = (part: (typeof STORIES)[number][number]) => {
    const role: Role = part in ROLES ? ROLES[part as keyof typeof ROLES] : { kind: part as Kind };
    const { kind, second, third, times: least = 1, ...more } = role;
    // In a story, who may not manage the entities only breaks it off.
    return createCommand(fc.constant(kind), fc.constant(true), newest, 60).map(
      ({ picks: [one, two, three], times, ...rest }): Omit<Command, 'number'> => ({
        ...{ ...rest, ...more, picks: [one, second ?? two, third ?? three] },
        times: isParallel ? Math.max(times, least) : times,
      }),
    );
  };
  const tell = (story: (typeof STORIES)[number], telling: number) => {
    const places = TELLINGS[telling % TELLINGS.length]!;
    const choosePlace = (index: number) => PLACES[Number(places[index % places.length])]!;
    return fc
      .tuple(...story.map(tellPart))
      .map((commands) =>
        commands.map((each, index) => ({ ...each, origin: isAtOnce(story[index]!) ? ('api' as const) : choosePlace(index) })),
      );
  };
  const count = Math.max(1, Math.floor(most / COMMANDS_PER_STORY));
  const chosen = Array.from({ length: count }, (_, index) => {
    const number = Math.abs(seed) * count + index;
    return { number: number % STORIES.length, telling: Math.floor(number / STORIES.length) };
  });
  // What changes users comes first, because the list of users may be out of date for a while, and is compared at the end.
  const stories = chosen
    .map(({ number, telling }) => ({ story: STORIES[number]!, telling: number + telling }))
    .toSorted((a, b) => Number(b.story.some(changesUsers)) - Number(a.story.some(changesUsers)))
    .map(({ story, telling }) => tell(story, telling));
  // Between stories, often a connection changes its state, because much depends on that.
  const between = fc.array(createCommand(createKinds({ ...KINDS, 'update connection': 30 }), follows, fc.nat(30)), { maxLength: 1 });
  const parts = [...stories.flatMap((story) => [between, story]), fc.array(command, { minLength: most, maxLength: most })];
  // With its bias, fast-check prefers the ends of ranges, so that nearly all commands would be about the same entities.
  const [all = []] = fc.sample(fc.noBias(fc.tuple(...parts)), { seed, numRuns: 1 });
  return all
    .flat()
    .slice(0, most)
    .map((command, index) => ({ ...command, number: 2 * index + 1 }));
}
