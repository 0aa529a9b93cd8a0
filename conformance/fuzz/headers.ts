import fc, { type Arbitrary } from 'fast-check';
import { type Known, type Late, pick } from './known.ts';

type Header = readonly [string, string];

const token = (group: keyof Known['tokens']): Arbitrary<Late<string>> =>
  fc.nat(999).map((index) => (known) => pick(known.tokens[group], index));

type Spelling = (token: string) => readonly Header[];
const SPELLINGS: readonly Spelling[] = [
  () => [],
  () => [['Authorization', '']],
  () => [['Authorization', 'Bearer']],
  () => [['Authorization', 'Bearer   ']],
  (it) => [['Authorization', it]],
  (it) => [['Authorization', `bearer ${it}`]],
  (it) => [['Authorization', `BEARER\t ${it} `]],
  (it) => [['Authorization', `Bearer ${it} more`]],
  (it) => [['Authorization', `Bearer "${it}"`]],
  (it) => [['Authorization', `Bearer ${it},${it}`]],
  (it) => [['Authorization', `Basic ${Buffer.from(it).toString('base64').slice(0, 200)}`]],
  (it) => [['Authorization', `Bearer ${it}=`]],
  (it) => [['Authorization', `Bearer ${it.slice(0, 40)}`]],
  (it) => [['Authorization', `Bearer ${it.replace('.', '..')}`]],
  (it) => [['Authorization', `Bearer ${it.split('.').reverse().join('.')}`]],
  (it) => [['Authorization', `Bearer ${'a'.repeat(9_000)}.${it}`]],
  (it) => [
    ['Authorization', `Bearer ${it}`],
    ['Authorization', `Bearer ${it}`],
  ],
  () => [['Authorization', 'Bearer \xe9\xff']],
  () => [['Authorization', 'Bearer __proto__']],
  () => [['Authorization', 'Bearer e30.e30.e30']],
  () => [['Authorization', 'Bearer bnVsbA.bnVsbA.AAAA']],
];

type Sender = Late<readonly Header[]>;
const bearer =
  (it: Late<string>): Sender =>
  (known) => [['Authorization', `Bearer ${it(known)}`]];

/** Who asks: mostly someone who may manage. */
export const authorization: Arbitrary<Sender> = fc.oneof(
  // One of them so often that it comes to the limit of its credential.
  { weight: 40, arbitrary: fc.constant<Late<string>>((known) => pick(known.tokens.manager, 0)).map(bearer) },
  { weight: 44, arbitrary: token('manager').map(bearer) },
  { weight: 8, arbitrary: token('weak').map(bearer) },
  { weight: 4, arbitrary: token('bad').map(bearer) },
  {
    weight: 4,
    arbitrary: fc.tuple(token('manager'), fc.constantFrom(...SPELLINGS)).map(
      ([it, spell]): Sender =>
        (known) =>
          spell(it(known)),
    ),
  },
);

const EXTRAS: readonly (readonly Header[])[] = [
  [['Accept', 'text/html']],
  [['Accept', 'image/png;q=1, */*;q=0']],
  [['Accept', ';;;']],
  [['Accept-Encoding', 'gzip, br, zebra']],
  [['Accept-Language', '*'.repeat(500)]],
  [['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01']],
  [['traceparent', '00-00000000000000000000000000000000-00f067aa0ba902b7-01']],
  [['traceparent', '<script>']],
  [
    ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    ['traceparent', '00-5bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ],
  [['Origin', 'https://evil.example']],
  [['Origin', 'null']],
  [
    ['Origin', 'https://a.example'],
    ['Access-Control-Request-Method', 'DELETE'],
    ['Access-Control-Request-Headers', 'authorization, __proto__'],
  ],
  [['Sec-Fetch-Site', 'cross-site']],
  [['Host', 'evil.example']],
  [['Host', 'localhost:1']],
  [['Host', '[::1]']],
  [['Host', 'a b']],
  [['Expect', 'x']],
  [['Expect', '200-ok, 100-continue']],
  [
    ['Connection', 'Upgrade'],
    ['Upgrade', 'h2c'],
  ],
  [
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
    ['Sec-WebSocket-Version', '13'],
  ],
  [['Range', 'bytes=0-1']],
  [['If-None-Match', '*']],
  [['If-Modified-Since', 'yesterday']],
  [['X-HTTP-Method-Override', 'DELETE']],
  [
    ['X-Forwarded-Host', 'evil.example'],
    ['X-Forwarded-Proto', 'https'],
    ['Forwarded', 'for="_"'],
  ],
  [['Cookie', '__proto__=1; a=\xe9']],
  [['X-Odd', '\xe9\xff\t']],
  [['__proto__', '1']],
  [['constructor', '1']],
  [['X-Long', 'a'.repeat(8_000)]],
  [['X-Too-Long', 'a'.repeat(17_000)]],
];

/** Other headers: mostly none. */
export const extras: Arbitrary<readonly Header[]> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<readonly Header[]>([]) },
  { weight: 1, arbitrary: fc.constantFrom(...EXTRAS) },
);
