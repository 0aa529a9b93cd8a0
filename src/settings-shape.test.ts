import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSettings } from './settings.ts';
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

for (const database of ['mysql://ada:s3cret-word@localhost/x', 'postgres://ada:s3cret-word@local host:x/y', 's3cret-word']) {
  test(`a database that is not the URL of a PostgreSQL database is refused, and the message does not repeat it (${database.slice(0, 5)}…)`, () => {
    assert.throws(
      () => checkSettings({ database }),
      ({ name, message, cause }: Error) =>
        name === 'SettingsError' &&
        /postgres:\/\/user:password@localhost:5432\/name/.test(message) &&
        !`${message} ${cause}`.includes('s3cret-word'),
    );
  });
}
