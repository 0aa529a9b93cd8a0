import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkShape } from './settings-shape.ts';

test('every setting of the right type is let through, and one that is undefined', () => {
  checkShape({});
  checkShape({ port: 0, host: 'localhost', allowHost: ['kit.test'], control: false, set: {}, fixtures: { world: 'w' }, data: undefined });
  checkShape({ fixtures: 'demo', timeouts: { headersTimeoutMs: 1 } });
});

for (const [given, reason] of [
  [{ prot: 1 }, 'There is no setting "prot". Did you mean "port"?'],
  [{ port: '4010' }, 'The setting port is a number, not a text.'],
  [{ controlToken: 1234 }, 'The setting controlToken is a text, not a number.'],
  [{ allowHost: 'kit.test' }, 'The setting allowHost is a list of texts, not a text.'],
  [{ set: [] }, 'The setting set is an object, not a list.'],
  [{ control: null }, 'The setting control is true or false, not null.'],
  [{ timeouts: { headerTimeoutMs: 1 } }, 'There is no setting "timeouts.headerTimeoutMs". Did you mean "headersTimeoutMs"?'],
  [4010, 'The settings of a kit are an object, such as { port: 0 }.'],
] as const) {
  test(`settings ${JSON.stringify(given)} are refused: ${reason}`, () => {
    assert.throws(() => checkShape(given), { name: 'SettingsError', message: reason });
  });
}
