import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { XPK_FILE } from '../../src/testing/tested-package.ts';
import { programs } from './languages.ts';

/** The folder of Debian's package junit5. */
const JARS = '/usr/share/java';
const RUN_JUNIT = `javac -cp "${JARS}/*" -d classes KitTest.java &&
  java -cp "classes:${JARS}/*" org.junit.platform.console.ConsoleLauncher --scan-classpath classes --details none`;

const isInstalled = ([program, ...args]: readonly [string, ...string[]]) => spawnSync(program, args).status === 0;
const skipWithout = (installed: boolean, debianPackage: string) => !installed && `Debian's package ${debianPackage} is not installed`;

/** Runs a program with `xpk exec`, alone in a folder. */
async function run(file: string, text: string, command: readonly string[]) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'xpk-language-'));
  writeFileSync(join(folder.path, file), text);
  const options = { cwd: folder.path, env: { ...process.env, NODE_TEST_CONTEXT: undefined } };
  return await promisify(execFile)(process.execPath, [XPK_FILE, 'exec', '--', ...command], options);
}

for (const [name, { file, debianPackage, version, command }] of Object.entries(programs)) {
  const skip = skipWithout(isInstalled(version), debianPackage);
  const text = readFileSync(`examples/languages/${name}/${file}`, 'utf8');

  test(`the program in ${name} passes, and fails if a response is not as expected`, { skip }, async () => {
    await run(file, text, command);
    await assert.rejects(run(file, text.replace('429, 200', '429, 404'), command), ({ stdout, stderr }) => /404/.test(stdout + stderr));
  });
}

test("the program in Python fails if the check does not know its endpoint's secret", {
  skip: skipWithout(isInstalled(programs.python!.version), 'python3'),
}, async () => {
  const { file, command } = programs.python!;
  const text = readFileSync(`examples/languages/python/${file}`, 'utf8').replace(", 'secret': Endpoint.secret}\n", '}\n');
  await assert.rejects(run(file, text, command), ({ stderr }) => /Not conformant: documented rules failed: 1/.test(stderr));
});

test('the program in Java is a test of JUnit 5 with @Test', {
  skip: skipWithout(existsSync(`${JARS}/junit-platform-console.jar`), 'junit5'),
}, async () => {
  const text = readFileSync('examples/languages/java/KitTest.java', 'utf8').replace('  void an', '  @org.junit.jupiter.api.Test void an');
  const { stdout } = await run('KitTest.java', text, ['sh', '-c', RUN_JUNIT]);
  assert.match(stdout, /1 tests successful/);
});
