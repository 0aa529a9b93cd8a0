import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { after, before, test } from 'node:test';

const session = new Session();
let load: (text: string) => readonly string[];
before(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  // Node counts only the branches and loops of modules that are loaded from now on.
  const { parseSource } = await import('./parse-source.ts');
  const { compileSource } = await import('./yaml.ts');
  load = (text) => {
    try {
      compileSource(parseSource(text, 'w'));
      return [];
    } catch (error) {
      assert.ok(error instanceof Error && 'problems' in error, String(error));
      return error.problems as readonly string[];
    }
  };
});
after(() => session.disconnect());

/** Returns how often functions, branches and loops ran. Unlike time, this number does not depend on the machine. */
async function countWork(work: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage');
  work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges)).reduce((sum, { count }) => sum + count, 0);
}

/** The test runner may run a few functions at the same time. */
const OTHER_WORK = 1000;

const repeat = (count: number, create: (index: number) => string) => Array.from({ length: count }, (_, index) => create(index)).join('');
const toJson = (count: number, create: (index: number) => [string, unknown]) =>
  JSON.stringify({ world: 'w', providers: Object.fromEntries(Array.from({ length: count }, (_, index) => create(index))) });

/** Files of any size. Each is valid, or has as many problems as its size, or one problem. */
const FILES: Readonly<Record<string, (size: number) => string>> = {
  providers: (size) => `world: w\nproviders:\n${repeat(size, (i) => `  p${i}: { name: P }\n`)}`,
  'providers in braces': (size) => `{ world: w, providers: {${repeat(size, (i) => `p${i}: { name: P }, `)}} }`,
  'providers in JSON': (size) => toJson(size, (i) => [`p${i}`, { name: 'P' }]),
  'unknown keys': (size) => `world: w\n${repeat(size, (i) => `key${i}: 1\n`)}`,
  'unknown keys of providers in JSON': (size) => toJson(size, (i) => [`p${i}`, { name: 'P', nmae: 'P' }]),
  'equal keys': (size) => `world: w\nproviders:\n${repeat(size, () => '  p: { name: P }\n')}`,
  'equal keys in JSON': (size) => `{"world": "w", "providers": {${repeat(size, () => '"p": { "name": "P" }, ')}"q": { "name": "Q" }}}`,
  'wrong types': (size) => `world: w\nproviders:\n${repeat(size, (i) => `  p${i}: { name: 1 }\n`)}`,
  'unknown references': (size) => {
    return `world: w\nproviders:\n${repeat(size, (i) => `  p${i}: { name: P }\n`)}clients:\n${repeat(size, (i) => `  c${i}: { provider: x${i}, name: C }\n`)}`;
  },
  'references to generated users by id': (size) =>
    `world: w\nproviders: { p: { name: P } }\nexperiences: { e: { provider: p, name: E } }\naccounts: { a: { name: A } }\ngenerate: { users: [{ alias: u, account: a, count: ${size} }] }\nassignments:\n${repeat(size, (i) => `  a${i}: { experience: e, targetType: USER, target: 019b76da-a800-7000-8000-${String(i).padStart(12, '0')} }\n`)}`,
  'generated users with the same alias': (size) =>
    `world: w\naccounts: { a: { name: A } }\ngenerate:\n  users:\n${repeat(size, () => '    - { alias: u, account: a, count: 1000000 }\n')}`,
  'types of events': (size) =>
    `world: w\nproviders: { p: { name: P } }\nsubscriptions: { s: { provider: p, types: [${repeat(size, (i) => `type${i}, `)}] } }\n`,
  comments: (size) =>
    `# c\n${repeat(size, () => '# c\n')}world: w\n${repeat(size, () => '# c\n')}accounts:\n${repeat(size, () => '  # c\n')}  a: { name: A } # c\n`,
  'comments after providers': (size) => `world: w\nproviders:\n${repeat(size, (i) => `  p${i}: { name: P } # c\n  # c\n`)}`,
  'comments in braces': (size) => `{\n${repeat(size, () => '  # c\n')}world: w,\n${repeat(size, () => '  # c\n')}}\n`,
  'empty lines': (size) => `world: w\n${'\n'.repeat(size)}accounts: {}\n`,
  anchors: (size) => `world: w\nproviders:\n${repeat(size, (i) => `  p${i}: &p${i} { name: P }\n  q${i}: *p${i}\n`)}`,
  'aliases of one anchor': (size) => `world: w\nproviders:\n  p: &p { name: P }\n${repeat(size, (i) => `  p${i}: *p\n`)}`,
  'aliases that repeat aliases': (size) => `world: w\na0: &a0 [x]\n${repeat(size, (i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`)}`,
  'aliases without an anchor': (size) => `world: w\nproviders:\n${repeat(size, (i) => `  p${i}: *x\n`)}`,
  'nested lists': (size) => `world: ${'['.repeat(size)}${']'.repeat(size)}\n`,
  'nested lists on a line': (size) => `world: w\nx:\n  ${'- '.repeat(size)}x\n`,
  'nested lists in JSON': (size) => `{"world": ${'['.repeat(size)}${']'.repeat(size)}}`,
  'a long name': (size) => `world: w\ndescription: ${'long '.repeat(size)}\n`,
  'a long name in several lines': (size) => `world: w\ndescription: "a\n${repeat(size, () => '  long\n')}"\n`,
  'a long block': (size) => `world: w\ndescription: >\n${repeat(size, () => '  long\n\n')}`,
  'a long name with escapes': (size) => `{"world": "w", "description": "${'\\"'.repeat(size)}"}`,
  'a long wrong value': (size) => `world: ${'W'.repeat(size)}\n`,
  'a long key': (size) => `{"world": "w", "providers": {"${'k'.repeat(size)}": {${repeat(size, (i) => `"k${i}": 1, `)}"name": "P"}}}`,
  'wrong punctuation': (size) => `world: w\n}${'x'.repeat(size)}\n`,
  'errors of syntax': (size) => `world: w\n${repeat(size, () => '\ta: b\n')}`,
  'many documents': (size) => repeat(size, () => '---\nworld: w\n'),
  'many tags': (size) => `world: w\n${repeat(size, (i) => `k${i}: !t${i} v\n`)}`,
};

for (const [content, create] of Object.entries(FILES)) {
  test(`a world file with twice as many or as long ${content} takes at most about twice the work`, async () => {
    load(create(10));
    const [one, two] = [await countWork(() => load(create(400))), await countWork(() => load(create(800)))];
    assert.ok(two <= one * 2.3 + OTHER_WORK, `${one}, then ${two}`);
  });

  test(`the errors of a world file with many or long ${content} are few and short`, () => {
    const problems = load(create(2000));
    assert.ok(problems.length <= 51);
    for (const problem of problems) assert.ok(problem.length < 500, problem);
  });
}
