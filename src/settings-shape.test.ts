import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSettings } from './settings.ts';
import { checkSettingTypes } from './settings-shape.ts';

test('a setting is accepted if it has the right type or is undefined', () => {
  checkSettingTypes({});
  checkSettingTypes({
    port: 0,
    host: 'localhost',
    allowHost: ['kit.test'],
    control: false,
    set: {},
    fixtures: { world: 'w' },
    data: undefined,
  });
  checkSettingTypes({ fixtures: 'demo', timeouts: { headersTimeoutMs: 1 } });
});

for (const [given, reason] of [
  [{ prot: 1 }, 'There is no setting "prot". Did you mean "port"?'],
  [{ port: '4010' }, 'The setting "port" must be a number, not a string.'],
  [{ controlToken: 1234 }, 'The setting "controlToken" must be a string, not a number.'],
  [{ allowHost: 'kit.test' }, 'The setting "allowHost" must be a list of strings, not a string.'],
  [{ set: [] }, 'The setting "set" must be an object, not a list.'],
  [{ control: null }, 'The setting "control" must be true or false, not null.'],
  [{ timeouts: { headerTimeoutMs: 1 } }, 'There is no setting "timeouts.headerTimeoutMs". Did you mean "headersTimeoutMs"?'],
  [4010, 'Kit settings must be an object, such as { port: 0 }.'],
] as const) {
  test(`settings ${JSON.stringify(given)} are refused: ${reason}`, () => {
    assert.throws(() => checkSettingTypes(given), { name: 'SettingsError', message: reason });
  });
}

for (const database of ['mysql://ada:s3cret-word@localhost/x', 'postgres://ada:s3cret-word@local host:x/y', 's3cret-word']) {
  test(`a database URL is refused if it is not a PostgreSQL URL, and the message does not contain the URL (${database.slice(0, 5)}…)`, () => {
    assert.throws(
      () => checkSettings({ database }),
      ({ name, message, cause }: Error) =>
        name === 'SettingsError' &&
        /postgres:\/\/user:password@localhost:5432\/name/.test(message) &&
        !`${message} ${cause}`.includes('s3cret-word'),
    );
  });
}
