import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import type { ControlOperationId } from '../../contract/generated/control-operations.ts';
import { controlTable } from '../../contract/generated/control-table.ts';
import { startReceiver } from '../../events/testing/receiver.ts';
import { getCommandName } from '../config-options.ts';
import { createProgram, listWithSubcommands } from '../program.ts';
import { run } from '../testing/run.ts';
import { listParameters, type Parameter } from './parameters.ts';

// A test must not end before the last await of the file, because the parent test would end with it.
const receiver = await startReceiver();
after(() => receiver.close());
const commands = new Map(listWithSubcommands(await createProgram([])).map((command) => [getCommandName(command), command]));
const rows = Object.entries(controlTable) as [ControlOperationId, (typeof controlTable)[ControlOperationId]][];

test('every operation of the control API has a command, or a reason why it has none', () => {
  for (const [id, { verbs, none }] of rows) {
    assert.ok(verbs.length > 0 || none, id);
    for (const { words } of verbs) assert.ok(commands.has(words), `${id}: ${words}`);
  }
});

test('every field of an operation is an option or an argument of its command, or has a reason', () => {
  for (const [id, row] of rows)
    for (const verb of row.verbs) {
      const { options, registeredArguments } = commands.get(verb.words)!;
      const names = [...options.map((option) => option.name()), ...registeredArguments.map((argument) => argument.name())];
      const reached = listParameters(row, verb)
        .filter(({ name }) => names.includes(name))
        .map(({ field }) => field);
      const missing = Object.keys(row.fields).filter((field) => !reached.includes(field) && verb.without?.[field] === undefined);
      assert.deepEqual(missing, [], `${id}: xpk ${verb.words}`);
    }
});

/** Returns a value on the command line, and the value in the request. */
function getSample({ schema, isDuration, placeholder, argument, isUpperEnd }: Parameter, isRange: boolean): [string, unknown] {
  const { type, properties, enum: [choice] = [], items, additionalProperties, minimum = 1 } = schema;
  if (isRange) return ['3-9', isUpperEnd ? 9 : 3];
  if (argument?.includes('...')) return ['some', ['some']];
  if (properties) return ['2s', { [Object.keys(properties)[0]!]: 2000 }];
  if (isDuration) return ['2s', 2000];
  if (choice !== undefined) return [choice, choice];
  if (type === 'integer') return [String(minimum), minimum];
  if (type === 'number') return ['.5', 0.5];
  if (type === 'boolean') return ['', true];
  if (type === 'array') return [items!.enum![0]!, [items!.enum![0]]];
  if (additionalProperties) return [placeholder.includes(':') ? 'a:b=c' : 'a=b=c', { a: 'b=c' }];
  return /json/.test(placeholder) ? ['{"a":1}', { a: 1 }] : ['some', 'some'];
}

for (const [id, row] of rows)
  for (const verb of row.verbs.filter(({ hand }) => !hand)) {
    // A field with two names has a value in only one of them.
    const parameters = listParameters(row, verb).filter((each, index, all) => all.findIndex(({ field }) => field === each.field) === index);
    test(`xpk ${verb.words} sends its options and arguments as the fields of ${id}`, async () => {
      let sent = {} as IncomingMessage;
      receiver.answerWith((response) => {
        sent = response.req;
        response.writeHead(404).end();
      });
      const expected: Record<string, Record<string, unknown>> = { path: {}, query: {}, body: {} };
      const options: string[] = [];
      const args: string[] = [];
      for (const parameter of parameters) {
        const isRange = parameters.some((other) => other.name === parameter.name && other.isUpperEnd);
        const [text, value] = getSample(parameter, isRange);
        expected[parameter.schema.in]![parameter.field] = value;
        if (parameter.argument !== undefined) args.push(text);
        else if (!parameter.isUpperEnd) options.push(`--${parameter.name}${text && `=${text}`}`);
      }
      const selector = typeof verb.when === 'string' && !parameters.some(({ key }) => key === verb.when) ? [`--${verb.when}`] : [];
      const origin = new URL(receiver.url).origin;
      await run(...verb.words.split(' '), ...options, ...selector, '--url', origin, '--', ...args);
      const { text } = receiver.received.at(-1)!;
      const { pathname, searchParams } = new URL(sent.url!, origin);
      assert.equal(sent.method, row.method.toUpperCase());
      assert.equal(
        pathname,
        row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(expected.path![name])),
      );
      assert.deepEqual(
        Object.fromEntries(searchParams),
        Object.fromEntries(Object.entries(expected.query!).map(([name, value]) => [name, String(value)])),
      );
      assert.deepEqual(text === '' ? {} : JSON.parse(text), expected.body);
    });
  }

test("the help for a command states each option's default, and no default of a required argument", () => {
  const describe = (words: string, name: string) => {
    const { options, registeredArguments } = commands.get(words)!;
    return [...options, ...registeredArguments].find((each) => each.name() === name)!.description;
  };
  assert.match(describe('reset', 'to'), /; default: seed$/);
  assert.doesNotMatch(describe('snapshot load', 'name'), /default/);
  assert.match(describe('release', 'order'), /; default: oldest-first$/);
  assert.match(describe('wait', 'timeout'), /; default: 10s$/);
});

test('xpk wait sends the timeout that its help states, even though the operation has another default', async () => {
  receiver.answerWith(404);
  await run('wait', '--url', new URL(receiver.url).origin);
  assert.deepEqual(JSON.parse(receiver.received.at(-1)!.text), { timeoutMs: 10_000 });
  assert.equal(controlTable.waitForDeliveries.fields.timeoutMs?.default, 5000);
});

test('xpk fault add keeps spaces in a value to match, and removes them around the value of a header', async () => {
  receiver.answerWith(404);
  await run(
    ...'fault add --fault latency --latency 5 --match'.split(' '),
    'userId= a ',
    '--header',
    'x-test: b c ',
    '--url',
    new URL(receiver.url).origin,
  );
  const { match, headers } = JSON.parse(receiver.received.at(-1)!.text) as Record<string, unknown>;
  assert.deepEqual([match, headers], [{ userId: ' a ' }, { 'x-test': 'b c' }]);
});
