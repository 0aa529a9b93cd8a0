import fc, { type Arbitrary } from 'fast-check';
import { hostileText } from './values.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** JSON as text, for what JSON.stringify would not write. */
export const hostileJson: Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        'null',
        'true',
        '0',
        '-0',
        '1e400',
        '-1e-400',
        '123456789012345678901234567890',
        '1.0',
        '[]',
        '{}',
        '[null]',
        '["ACCOUNT"]',
        '{"a":1}',
      ],
      ...[
        '"\\u0000"',
        '"\\ud800"',
        '"\\udc00x"',
        '"__proto__"',
        '{"__proto__":{"x":1}}',
        '{"constructor":{"prototype":{"x":1}}}',
        '{"toString":1}',
      ],
      ...[nested(50), nested(5_000), `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`],
    ),
  },
  { weight: 3, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);

/** Bodies that are no JSON, or no object. */
export const BROKEN = [
  ...[
    '',
    ' ',
    '{',
    '}',
    '[',
    '"',
    'null',
    'true',
    '7',
    '"text"',
    '[]',
    '[{}]',
    '{}',
    '{}}',
    '{} {}',
    '{,}',
    "{'a':1}",
    '{"a":1,}',
    '{a:1}',
    'NaN',
    '/**/{}',
  ],
  ...[
    '\ufeff{}',
    '\0',
    'undefined',
    '<xml/>',
    'a=1&b=2',
    nested(5_000),
    '['.repeat(5_000),
    '{"__proto__":null}',
    '{"constructor":null}',
    'é',
    '\ud800',
  ],
];
