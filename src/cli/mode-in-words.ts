import type { components } from '../contract/generated/control.ts';
import { spanInWords } from './in-words.ts';

type Mode = components['schemas']['DeliveryMode'];

/** What a member is set to, as the option is written without its dashes, and what it does. */
type Row = readonly [setting: string, effect: string];

// A member of the contract that is missing here does not compile.
const MEMBERS: { readonly [Member in keyof Required<Mode>]: (value: Required<Mode>[Member]) => Row } = {
  duplicate: (count) => [
    `duplicate ${count}`,
    `each delivery is sent ${count === 1 ? 'once more' : `${count} more times`} at once after it was acknowledged`,
  ],
  reorder: ({ window }) => [
    `reorder ${spanInWords(window)}`,
    'first attempts are shuffled: what happens in the first half of such a window is sent at random moments of its second half',
  ],
  seed: (seed) => [`seed ${seed}`, 'what reorder draws from: the same events come in the same order again'],
  delay: (span) => [`delay ${spanInWords(span)}`, 'first attempts are due so much later, by kit time'],
  dropAcknowledgement: (count) => [
    `drop-acknowledgement ${count}`,
    `${count === 1 ? 'the first acknowledgement of each delivery is' : `the first ${count} acknowledgements of each delivery are`} taken for lost`,
  ],
  hold: () => ['hold', 'first attempts are held until they are released'],
};

/** How deliveries go wrong on purpose, a row for each way. */
export function modeRows(mode: Mode): Row[] {
  const whole: Mode = mode.reorder === undefined ? mode : { seed: 0, ...mode };
  return (Object.keys(MEMBERS) as (keyof Mode)[]).filter((member) => whole[member] !== undefined).map((member) => rowOf(member, whole));
}

/** The ways in which deliveries do not go wrong, by the names of their options. A seed is none. */
export function waysNotIn(mode: Mode): string[] {
  return (Object.keys(MEMBERS) as (keyof Mode)[]).filter((member) => member !== 'seed' && mode[member] === undefined).map(optionOf);
}

/** `2 deliveries are held`, or that none is. */
export function heldInWords(held: number, still = ''): string {
  if (held === 0) return still === '' ? 'Nothing is held' : 'Nothing is held any more';
  return `${held} ${held === 1 ? 'delivery is' : 'deliveries are'} ${still}held`;
}

function rowOf<Member extends keyof Mode>(member: Member, mode: Mode): Row {
  return MEMBERS[member]((mode as Required<Mode>)[member]);
}

/** `drop-acknowledgement` for `dropAcknowledgement`. */
function optionOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
