import assert from 'node:assert/strict';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { problem, type Reply, requestOf, success, withHeaders } from '../sabotage/exchange.ts';
import type { Exchange } from './exchanges.ts';
import { opinionOfPrism, ourOpinion } from './opinions.ts';
import { MARK } from './replay.ts';

const USER = {
  id: '0190f000-0000-7000-8000-000000000001',
  accountId: '0190f000-0000-7000-8000-000000000002',
  createdAt: '2026-03-01T09:30:00Z',
};

function answered(reply: Reply, operation: OperationId = 'getUser'): Exchange {
  return { fault: undefined, operation, request: requestOf('POST', '/users/1', { 'content-type': 'application/json' }, '{"half":'), reply };
}

const OURS: [string, Reply, boolean][] = [
  ['a body that fits', success(200, USER), true],
  ['a body that lacks a required member', success(200, { ...USER, createdAt: undefined }), false],
  ['a documented refusal', problem(404), true],
  ['an undocumented success', success(202, USER), false],
  ['an undocumented refusal', problem(409), false],
  ['a problem as application/json', withHeaders(problem(404), { 'content-type': 'application/json' }), false],
  ['a problem without a traceId', problem(404, { traceId: undefined }), false],
];
for (const [what, reply, fits] of OURS) {
  test(`ours of ${what}: it ${fits ? 'fits' : 'is broken'}`, () => {
    const opinion = ourOpinion(answered(reply));
    assert.ok('objections' in opinion);
    assert.equal(opinion.objections.length === 0, fits, opinion.objections.join());
  });
}

test('a status of a documented class is documented', () => {
  assert.deepEqual(ourOpinion(answered(success(202, {}), 'updateExperienceConnection')), { objections: [] });
});

// In the place of Prism: it answers with the header that the test sets, if it is sent JSON.
let violations: unknown[] | string = [];
let mark: string | undefined;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  JSON.parse(Buffer.concat(chunks).toString());
  const text = typeof violations === 'string' ? violations : JSON.stringify(violations);
  response.writeHead(200, { 'sl-violations': text, ...(mark && { [MARK]: mark }) });
  response.end();
});
const agent = new Agent();
let url = '';
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

const OF_REQUEST = { location: ['request', 'body'], message: 'the request is wrong' };
const OF_RESPONSE = { location: ['response', 'body'], message: 'the answer is wrong' };
const CUT = 'Too many violations! [';

const PRISM: [string, unknown[] | string, string | undefined, unknown][] = [
  ['nothing is violated', [], '3', { objections: [] }],
  ['only the request is wrong', [OF_REQUEST], '3', { objections: [] }],
  ['the answer is wrong, too', [OF_REQUEST, OF_RESPONSE], '3', { objections: ['the answer is wrong'] }],
  [
    'the header is cut behind what it says of the answer',
    `${CUT}${JSON.stringify(OF_RESPONSE)},{"loc`,
    '3',
    { objections: ['Too many violations!'] },
  ],
  ['the header is cut before it', `${CUT}${JSON.stringify(OF_REQUEST)},{"loc`, '3', { none: 'the header is cut' }],
  ['Prism answers itself', [], undefined, { none: 'Prism answers 200 itself' }],
];
for (const [what, header, marked, expected] of PRISM) {
  test(`that of Prism where ${what}`, async () => {
    [violations, mark] = [header, marked];
    assert.deepEqual(await opinionOfPrism(url, agent, answered(success(200, USER)), 3), expected);
  });
}
