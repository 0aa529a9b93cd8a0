import fc, { type Arbitrary } from 'fast-check';
import { type KnownKind, type Late, pick } from './known.ts';

/** Texts that programs trip over: NUL, lone surrogates, names of prototypes, almost-numbers, almost-UUIDs, other scripts' digits. */
const TRAPS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\udc00\ud800',
  '\ufeff',
  '\u202etxt',
  '💥',
  'İı',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '[]',
  '{}',
  '0',
  '-0',
  '-1',
  '1.0',
  '1e1',
  '0x10',
  '٣',
  '00000000000100',
  '9'.repeat(400),
  "' OR 1=1 --",
  '%',
  '%00',
  '%ZZ',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  'ACCOUNT ',
  'phone_number',
  'ACTIVE\n',
  '+1',
  '+0123456789',
  `+${'9'.repeat(15)}`,
  `+${'9'.repeat(16)}`,
  '+١٢٠٦٥٥٥٠١٠٠',
  '+1206555O100',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'urn:uuid:01900000-0000-7000-8000-000000000000',
  '{01900000-0000-7000-8000-000000000000}',
  'a'.repeat(5_000),
];

export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TRAPS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)) },
);

type Alter = (text: string) => string;
/** Small changes to a good value; the first leaves it alone, so that shrinking ends there. */
const ALTERATIONS: readonly Alter[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => `${text}\n`,
  (text) => ` ${text}`,
  (text) => `${text}\0`,
  (text) => `${text}\ud83d`,
  (text) => text.slice(0, -1),
  (text) => text + text,
  (text) => text.replaceAll('-', ''),
  (text) => text.replace(/[0-9a-zA-Z]/, '٣'),
];

/** An existing value of the world. */
export function existing(kind: KnownKind): Arbitrary<Late<string>> {
  return fc.nat(0xfffff).map((index) => (known) => pick(known.values[kind], index));
}

/** Mostly an existing value; sometimes slightly altered, of another kind, or hostile. */
export function nearly(kind: KnownKind, ...others: KnownKind[]): Arbitrary<Late<string>> {
  return fc.oneof(
    { weight: 20, arbitrary: existing(kind) },
    {
      weight: 2,
      arbitrary: fc.tuple(existing(kind), fc.constantFrom(...ALTERATIONS)).map(
        ([value, alter]): Late<string> =>
          (known) =>
            alter(value(known)),
      ),
    },
    ...others.map((other) => ({ weight: 2, arbitrary: existing(other) })),
    { weight: 1, arbitrary: hostileText.map((text) => () => text) },
  );
}

export interface Target {
  readonly targetType: string;
  readonly targetValue: Late<string>;
}

/** Something an Experience can be assigned to. Users come more often: there are many, and only numbers stand in the way of a connection's end. */
export const target: Arbitrary<Target> = fc.oneof(
  { weight: 6, arbitrary: existing('users').map((targetValue) => ({ targetType: 'USER', targetValue })) },
  { weight: 3, arbitrary: existing('telephoneNumbers').map((targetValue) => ({ targetType: 'PHONE_NUMBER', targetValue })) },
  { weight: 1, arbitrary: existing('accounts').map((targetValue) => ({ targetType: 'ACCOUNT', targetValue })) },
);

/** The values of a parameter or member, by the name that the contract gives it. */
export const byName: Readonly<Record<string, Arbitrary<Late<string>>>> = {
  experienceId: existing('experiences'),
  accountId: existing('accounts'),
  telephoneNumber: existing('telephoneNumbers'),
  tn: existing('telephoneNumbers'),
  targetType: fc.constantFrom('USER', 'PHONE_NUMBER', 'ACCOUNT').map((text) => () => text),
  state: fc.constantFrom('ACTIVE', 'INACTIVE').map((text) => () => text),
  pageSize: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1, 2, 200, 0, 101, 201)).map((size) => () => String(size)),
  sortBy: fc.constantFrom('createdAt', 'updatedAt', 'firstName', 'lastName').map((text) => () => text),
  sortOrder: fc.constantFrom('asc', 'desc').map((text) => () => text),
};
