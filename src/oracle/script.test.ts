import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { writeScript } from './script.ts';
import { Names } from './side.ts';
import type { Step } from './steps.ts';

const names = new Names();
names.define('«account 1»', 'target-account', 'twin-account');
names.define('«user 1»', "o'neil", 'twin-user');

const as = 'manager';
const form = 'flat';
const unchanged = { as, changes: [], apply() {} } as const;
const REFUSED = { status: 409, text: '', json: undefined };
const create: Step = {
  ...unchanged,
  kind: 'create connection',
  origin: 'api',
  request: { operation: 'createExperienceConnection', body: { accountId: '«account 1»', note: "it's $HOME" }, as, form },
  creates: '«connection #1»',
};
const remove: Step = {
  ...unchanged,
  kind: 'delete connection',
  origin: 'portal',
  action: { name: 'portal.connections.remove', args: ['«connection #1»'] },
};
const script = writeScript(
  names,
  "http://localhost/it's",
  [
    { step: create, times: 3 },
    { step: remove, times: 1 },
  ],
  {
    operation: 'getUsers',
    request: { query: { accountId: '«account 1»', firstName: '«user 1»^' }, as: 'nobody', form },
    cursorOf: { accountId: '«account 1»', pageSize: 1 },
  },
);

/** Runs the script with a `curl` that prints its arguments. */
const run = (environment: Record<string, string>): string =>
  execFileSync('bash', ['-c', `curl() { printf '<%s>' "$@" '"id": "new-id" "cursor": "c1"'; echo; }\n${script}`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

test('a script sends the ids of the target, and what the steps have created', () => {
  const shown = run({ MANAGER_TOKEN: 'secret' });
  assert.match(shown, /<http:\/\/localhost\/it's\/users>.*<accountId=target-account>.*<firstName=O'NEIL>.*<cursor=c1>/);
  assert.doesNotMatch(shown, /secret|twin-/);
});

test('a script quotes values that the shell would change', () => {
  assert.match(script, /^BASE='http:\/\/localhost\/it'\\''s'$/m);
  assert.match(script, /^USER_1='o'\\''neil'$/m);
  assert.match(script, /-d '\{"accountId":"'"\$\{ACCOUNT_1\}"'","note":"it'\\''s \$HOME"\}'/);
});

test('changes in the portal are comments, and parallel requests a loop', () => {
  assert.match(script, /^# 2\. The portal deletes new connection 1$/m);
  assert.match(script, /^NEW_CONNECTION_1=\$\(\{ for i in \{1\.\.3\}; do curl .* & done; wait; \} \|/m);
});

test('requests at the same moment are sent at the same moment, and nobody is asked for the id of what was not created', () => {
  const path = { experienceConnectionId: '«connection #1»' };
  const update: Step = { ...create, request: { operation: 'updateExperienceConnection', path, as, form } };
  const steps = [update, update].map((step, index) => ({ step, times: 1, isWithPrevious: index > 0, answers: [{ target: REFUSED }] }));
  const createInPortal: Step = { ...remove, action: { name: 'portal.users.create', args: ['«account 1»'] }, creates: '«user #2»' };
  const pair = writeScript(names, '', [...steps, { step: createInPortal, times: 1, answers: [{ target: REFUSED }] }]);
  assert.match(
    pair,
    /^curl .* &\n\n# 2\. at the same moment .*\ncurl .*[^&]\nwait\n\n# 3\. .*\nread -rp '.* account 1\. Then press Enter\.'$/m,
  );
});

test('a script asks for a token', () => {
  assert.throws(() => run({}), /MANAGER_TOKEN: Set it to the token/);
});

test('a script asks a person for what it cannot do, and says what is expected', () => {
  assert.match(script, /^read -rp 'By hand: The portal deletes new connection 1\. Then press Enter\.'$/m);
  const createUser: Step = { ...remove, action: { name: 'portal.users.create', args: ['«account 1»'] }, creates: '«user #2»' };
  const last = { operation: 'getUsers', request: { as, form }, withoutAuthorization: true } as const;
  const asking = writeScript(names, 'http://localhost', [{ step: createUser, times: 1 }], last, 'Expected 503, not 200');
  assert.match(asking, /^read -rp 'By hand: The portal creates a user in account 1 \(new user 2\)\. Its id: ' NEW_USER_2$/m);
  assert.match(asking, /unreachable\. Then press Enter\.'\ncurl .*\/users' .*\n\necho 'The report says: Expected 503, not 200'$/);
});
