import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { parse } from 'yaml';
import { createKit, type Kit } from '../../src/kit.ts';
import { runAction, runScript } from './testing/action-runner.ts';

/** The rules to test. The first world of the kit `broken` violates one of them. */
const RULES = '--rule connections.get.* --no-own-world';

let workspace: string;
let correct: Kit;
let broken: Kit;
before(async () => {
  // A project with the installed package, so that npx downloads nothing.
  workspace = mkdtempSync(join(tmpdir(), 'xpk-ci-'));
  mkdirSync(join(workspace, 'node_modules/.bin'), { recursive: true });
  symlinkSync(resolve('.'), join(workspace, 'node_modules/experience-provider-kit'));
  symlinkSync('../experience-provider-kit/src/cli/xpk.cjs', join(workspace, 'node_modules/.bin/xpk'));
  writeFileSync(join(workspace, 'package.json'), '{"private":true}');
  [correct, broken] = await Promise.all([createKit({ port: 0 }), createKit({ port: 0 })]);
  await broken.fault({ fault: 'response', operation: 'getExperienceConnection', status: 200, body: { id: 4711 } });
});
after(async () => {
  await Promise.all([correct?.close(), broken?.close()]);
  rmSync(workspace, { recursive: true, force: true });
});

/** npm must not download anything in this environment. */
const createEnvironment = () => ({
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: workspace,
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
});

function findDocumentedYaml(label: string) {
  const [, yaml = ''] = new RegExp(`\`\`\`yaml ${label}\n([\\s\\S]*?)\`\`\``).exec(readFileSync('docs/ci.md', 'utf8')) ?? [];
  return parse(yaml);
}

suite('the GitHub action', () => {
  const runGitHubAction = (inputs: Readonly<Record<string, string>>) =>
    runAction('action.yml', workspace, { options: RULES, ...inputs }, createEnvironment());

  test('succeeds for a server that follows the rules, and writes a summary and a report, but no annotation', async () => {
    const { success, output, summary, used } = await runGitHubAction({
      'base-url': correct.url,
      'report-name': 'good',
      'target-version': '1.2.3',
    });
    assert.ok(success, output);
    assert.match(summary, /^# Conformance of .*\*\*(\d+) of \1\*\*/s);
    assert.doesNotMatch(output, /::error/);
    assert.deepEqual(
      used.map(({ uses }) => uses.split('@')[0]),
      ['actions/setup-node', 'actions/cache/restore', 'actions/cache/save', 'actions/upload-artifact'],
    );
    assert.equal(used[0]?.with['node-version'], '24');
    assert.match(readFileSync(join(used[3]?.with.path ?? '', 'index.html'), 'utf8'), /<title>/);
    assert.match(readFileSync(join(used[3]?.with.path ?? '', 'matrix/index.html'), 'utf8'), /1\.2\.3/);
    assert.deepEqual(readdirSync(used[2]?.with.path ?? ''), ['1-1.json']);
  });

  test('fails for a server that breaks a rule, and writes an annotation for each failed rule', async () => {
    const { success, output, summary, used } = await runGitHubAction({ 'base-url': broken.url, 'report-name': 'bad' });
    assert.equal(success, false);
    assert.match(summary, /^## Failed$/m);
    const failed = [...summary.matchAll(/^### `(\S+)`/gm)].map(([, rule]) => rule);
    const titles = [...output.matchAll(/^::error title=(\S+) \(prefixed%2C flat\)::.+$/gm)].map(([, rule]) => rule);
    assert.ok(failed.length > 0);
    assert.deepEqual(titles.sort(), [...new Set(failed)].sort());
    assert.equal(used.at(-1)?.with.name, 'bad');
  });

  test('publishes the page and signs the results only if asked for', async () => {
    const { used } = await runGitHubAction({ 'base-url': correct.url, 'report-name': 'signed', pages: 'true', attest: 'true' });
    const [attest, , artifact, deploy] = used.slice(-4);
    assert.deepEqual(
      [attest, artifact, deploy].map((each) => each?.uses.split('@')[0]),
      ['actions/attest-build-provenance', 'actions/upload-pages-artifact', 'actions/deploy-pages'],
    );
    assert.match(readFileSync(attest?.with['subject-path'] ?? '', 'utf8'), /conformance-results/);
    assert.match(readFileSync(join(artifact?.with.path ?? '', 'index.html'), 'utf8'), /Which version broke what/);
  });

  test('fails with an error message, and without a summary, if the server cannot be tested', async () => {
    const { success, output, summary } = await runGitHubAction({ 'base-url': 'http://127.0.0.1:9', 'report-name': 'none' });
    assert.equal(success, false);
    assert.match(output, /127\.0\.0\.1:9/);
    assert.equal(summary, '');
  });

  test('has the inputs that the documented workflow uses', async () => {
    const { steps } = findDocumentedYaml('github').jobs.conformance;
    const { inputs } = parse(readFileSync('action.yml', 'utf8'));
    const given = Object.keys(steps.at(-1).with);
    assert.deepEqual([given.length > 0, given.filter((name) => !(name in inputs))], [true, []]);
  });
});

suite('the GitHub actions for an integration', () => {
  const RULE = 'events.consumer.discards-older';

  test('check-webhook fails for a consumer that applies older events, and writes an annotation', async () => {
    const consumer = spawn(process.execPath, ['examples/webhook-receiver/consumer.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(consumer.stdout, 'data')) as [Buffer];
    const url = String(line).trim();
    const inputs = { url: `${url}/events`, 'state-url': `${url}/state`, options: `--settle 100ms --rule ${RULE}` };
    const { success, output, summary } = await runAction('.ci/check-webhook/action.yml', workspace, inputs, createEnvironment());
    consumer.kill();
    assert.equal(success, false, output);
    assert.match(summary, /^# Check of the webhook endpoint/);
    assert.match(output, new RegExp(`::error title=${RULE}`));
  });

  test('check-client succeeds for a command whose requests follow the rules, and fails for one that breaks a rule', async () => {
    const run = (command: string) => runAction('.ci/check-client/action.yml', workspace, { command }, createEnvironment());
    const list = (header: string) => `curl -s "$XPK_URL/users?accountId=019b76da-a800-7842-89c6-aab35372cefd" ${header}`;
    const good = await run(list('-H "authorization: Bearer $XPK_TOKEN"'));
    assert.ok(good.success, good.output);
    assert.match(good.summary, /^# Check of the client/);
    assert.equal((await run('exit 3')).success, false);
  });

  for (const [label, job, folder] of [
    ['github-webhook', 'webhook', 'check-webhook'],
    ['github-client', 'client', 'check-client'],
  ] as const)
    test(`${folder} has the inputs that the documented workflow uses`, () => {
      const { inputs } = parse(readFileSync(`.ci/${folder}/action.yml`, 'utf8'));
      const { uses, with: given } = findDocumentedYaml(label).jobs[job].steps.at(-1);
      assert.match(uses, new RegExp(`/experience-provider-kit/\\.ci/${folder}@`));
      assert.deepEqual(
        Object.keys(given).filter((name) => !(name in inputs)),
        [],
      );
    });
});

test('the documented GitLab job exits with 1 for a server that breaks a rule, and writes its artifacts', async () => {
  const { script, variables, artifacts } = findDocumentedYaml('gitlab').conformance;
  const env = { ...createEnvironment(), ...variables, BASE_URL: broken.url };
  const { status, output } = await runScript(`set -f\n${script.join('\n')} ${RULES}`, workspace, env);
  assert.equal(status, 1, output);
  assert.match(readFileSync(join(workspace, artifacts.reports.junit), 'utf8'), /<failure /);
  assert.match(readFileSync(join(workspace, artifacts.paths[0], 'index.html'), 'utf8'), /<title>/);
});

test('at most ten annotations are printed, and their texts are escaped', async () => {
  const file = join(workspace, 'junit.xml');
  const message = 'a &lt;b&gt; &#39;c&#39; 100%: &amp;lt;';
  const cases = Array.from({ length: 12 }, (_, n) => `<testcase name="rule-${n}" classname="flat.x"><failure message="${message}">`);
  writeFileSync(file, cases.join('\n'));
  const { output } = await runScript(`node "$OLDPWD/.ci/annotate.mjs" "${file}"`, workspace, {
    ...createEnvironment(),
    OLDPWD: resolve('.'),
  });
  const lines = output.trim().split('\n');
  assert.equal(lines.length, 10);
  assert.equal(lines[0], "::error title=rule-0 (flat)::a <b> 'c' 100%25: &lt;");
  assert.match(lines[9] ?? '', /3 more rules failed/);
});
