import fc, { type Arbitrary } from 'fast-check';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Late } from './known.ts';
import { percent } from './percent.ts';
import { byName, hostileText, type Target, target } from './values.ts';

/** Parameters that go together (Endpoints: valid filter combinations); to each come some of the paging and sorting ones. */
const COMBINATIONS: Readonly<Partial<Record<OperationId, readonly (readonly string[])[]>>> = {
  getExperienceAssignability: [['targetType', 'targetValue']],
  getExperienceAssignments: [
    ['accountId'],
    ['accountId', 'experienceId'],
    ['accountId', 'targetType'],
    ['accountId', 'experienceId', 'targetType'],
    ['targetType', 'targetValue'],
    ['accountId', 'targetType', 'targetValue'],
  ],
  getExperienceConnections: [
    ['accountId'],
    ['telephoneNumber'],
    ['tn'],
    ['accountId', 'experienceId'],
    ['telephoneNumber', 'experienceId', 'tn'],
  ],
  getUsers: [['accountId']],
};
const COMMON = ['pageSize', 'sortBy', 'sortOrder'];
const ODD_NAMES = ['__proto__', 'constructor', 'toString', 'accountid', 'accountId[]', 'accountId[0]', 'targetType.x', 'access_token', ''];
const RAW_QUERIES = [
  '%ZZ=%ZZ',
  '&&&',
  '=',
  '=x',
  '?',
  'a=b=c',
  'accountId',
  'accountId=%00',
  'cursor=%FF%FE',
  'a;b',
  '+=+',
  '%26',
  'pageSize=%31',
];

type Pairs = readonly (readonly [string, string])[];
type Change = (pairs: Pairs) => Pairs;

const change: Arbitrary<Change> = fc.oneof(
  { weight: 2, arbitrary: fc.nat(9).map((at) => (pairs: Pairs) => pairs.filter((_, i) => i !== at % pairs.length)) },
  { weight: 2, arbitrary: fc.nat(9).map((at) => (pairs: Pairs) => (pairs.length === 0 ? pairs : [...pairs, pairs[at % pairs.length]!])) },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(9), hostileText).map(
      ([at, text]) =>
        (pairs: Pairs) =>
          pairs.map(([name, value], i) => [name, i === at % pairs.length ? text : value] as const),
    ),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...ODD_NAMES), hostileText).map((pair) => (pairs: Pairs) => [pair, ...pairs]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('accountId', 'tn', 'targetType', 'targetValue', 'cursor', 'pageSize', 'sortBy', 'sortOrder'), hostileText)
      .map((pair) => (pairs: Pairs) => [...pairs, pair]),
  },
);

/** The query of an operation with its question mark: mostly good, sometimes with a change or two, sometimes the next page of a list. */
export function query(operationId: OperationId): Arbitrary<Late<string>> {
  const combinations = COMBINATIONS[operationId];
  const changes = fc.oneof(
    { weight: 7, arbitrary: fc.constant<Change[]>([]) },
    { weight: 3, arbitrary: fc.array(change, { minLength: 1, maxLength: 2 }) },
  );
  const raw = fc.oneof({ weight: 30, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...RAW_QUERIES) });
  const pairs = combinations ? pairsOf(operationId, combinations) : fc.constant<Late<Pairs>>(() => []);
  const written = fc.tuple(pairs, combinations ? changes : fc.constant([]), raw).map(([good, changed, tail]) => (known) => {
    const all = changed.reduce((it, alter) => alter(it), (good as Late<Pairs>)(known));
    const text = all.map(([name, value]) => `${percent(name)}=${percent(value)}`).join('&');
    return text === '' && tail === '' ? '' : `?${[text, tail].filter((part) => part !== '').join('&')}`;
  }) as Arbitrary<Late<string>>;
  return operations[operationId].queryParameters.some((name) => name === 'cursor')
    ? fc.oneof({ weight: 4, arbitrary: written }, { weight: 1, arbitrary: nextPage(operationId) })
    : written;
}

function pairsOf(operationId: OperationId, combinations: readonly (readonly string[])[]): Arbitrary<Late<Pairs>> {
  const known: readonly string[] = operations[operationId].queryParameters;
  const values = fc.record(Object.fromEntries(Object.keys(byName).map((name) => [name, byName[name]!])));
  const common = fc.subarray(COMMON.filter((name) => known.includes(name)));
  return fc.tuple(fc.constantFrom(...combinations), common, values, target).map(([names, more, good, aim]) => (world) => {
    return [...names, ...more].map((name) => [name, (name.startsWith('target') ? aimed(name, aim) : good[name]!)(world)] as const);
  });
}

function aimed(name: string, { targetType, targetValue }: Target): Late<string> {
  return name === 'targetType' ? () => targetType : targetValue;
}

const CURSOR_CHANGES: readonly ((cursor: string) => string)[] = [
  (cursor) => cursor,
  (cursor) => cursor,
  (cursor) => cursor,
  (cursor) => cursor.slice(0, -1),
  (cursor) => `${cursor}=`,
  (cursor) => `${cursor}A`,
  (cursor) => cursor.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
  (cursor) => cursor.split('').reverse().join(''),
  (cursor) => `${cursor}&cursor=${cursor}`,
  (cursor) => cursor.slice(0, 10),
];

/** A cursor that was really given: with the query it was given for, or with that of another page; as it is, or altered. */
function nextPage(operationId: OperationId): Arbitrary<Late<string>> {
  return fc
    .tuple(fc.nat(999), fc.nat(999), fc.integer({ min: 0, max: 9 }), fc.constantFrom(...CURSOR_CHANGES))
    .map(([at, other, foreign, alter]) => (known) => {
      const own = known.pages.filter((page) => page.operationId === operationId);
      const page = own[at % own.length] ?? known.pages[at % known.pages.length];
      if (page === undefined) return '';
      const asked = foreign === 9 ? known.pages[other % known.pages.length]! : page;
      return `?${asked.query === '' ? '' : `${asked.query}&`}cursor=${alter(page.cursor)}`;
    });
}
