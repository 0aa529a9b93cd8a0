import { A, account, C, experience, STAGE } from './refusals.ts';

/** Parts of queries that are each wrong by themselves, and take one change each. */
interface Faulty {
  readonly path: string;
  /** What stands beside two faults of the rest. Undefined where the first ones are always among them. */
  readonly good?: string;
  /** Of what the request is about. An empty one lacks it. */
  readonly selectors: readonly string[];
  readonly rest: readonly string[];
}

const FAULTY: readonly Faulty[] = [
  {
    path: A,
    good: STAGE,
    selectors: ['', 'accountId=stage'],
    rest: ['pageSize=0', 'pageSize=abc', 'cursor=abc', 'experienceId=x', 'targetType=FAX', 'targetValue=%2B12065550100'],
  },
  {
    path: C,
    good: STAGE,
    selectors: ['', 'accountId=x', 'telephoneNumber=2065550100', 'tn=x'],
    rest: ['pageSize=0', 'pageSize=', 'cursor=', 'experienceId=x'],
  },
  {
    path: '/users',
    good: STAGE,
    selectors: ['', 'accountId=x'],
    rest: ['pageSize=0', 'cursor=abc', 'sortBy=x', 'sortOrder=x'],
  },
  {
    path: `/experiences/${experience('agent')}/assignability`,
    selectors: ['', 'targetType=FAX'],
    rest: ['', 'targetValue=x', 'targetValue=2065550101'],
  },
];

/** All requests with two faults of the table. */
export const twoFaults: readonly string[] = FAULTY.flatMap(({ path, good, selectors, rest }) => {
  const name = (part: string) => part.split('=', 1)[0];
  const beside = selectors.flatMap((selector) => rest.map((part) => [selector, part]));
  const among = rest.flatMap((one, index) => rest.slice(index + 1).map((other) => [good, one, other]));
  const apart = good === undefined ? [] : among.filter(([, one = '', other = '']) => name(one) !== name(other));
  return [...beside, ...apart].map((parts) => `${path}?${parts.filter(Boolean).join('&')}`);
});

/** Requests with what looks like two faults, and the one change that is enough. */
export const ONE_CHANGE: readonly (readonly [path: string, text: string])[] = [
  [`${A}?${STAGE}&pageSize=0`, 'Send pageSize 1 instead of "0".'],
  [`${A}?${STAGE}&targetValue=x`, 'Leave targetValue out.'],
  [`${A}?targetType=FAX&targetValue=%2B12065550100`, 'Send targetType PHONE_NUMBER instead of "FAX".'],
  [`${C}?telephoneNumber=x&acountId=${account('stage')}`, 'Rename acountId to accountId.'],
  [`${C}?accountId=stage&telephoneNumber=x`, `Send accountId ${account('stage')} instead of "stage".`],
  [`/users?accountId=stage&pagesize=5`, `Send accountId ${account('stage')} instead of "stage".`],
];
