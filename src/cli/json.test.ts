import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ControlOperationId, controlOperations } from '../contract/generated/control-operations.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import { createKit, type Kit } from '../kit.ts';
import { createSmallResults, passedFindings } from '../report/testing/small-results.ts';
import { getCommandName } from './config-options.ts';
import { createProgram, listWithSubcommands } from './program.ts';
import { COMMAND_LINES, isLocal } from './testing/command-lines.ts';
import { run } from './testing/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-json-'));
writeFileSync(join(folder, 'results.json'), JSON.stringify(createSmallResults(passedFindings)));
let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
  await (await fetch(`${kit.url}/users/nobody`, { headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } })).text();
});
after(async () => {
  await kit.close();
  rmSync(folder, { recursive: true, force: true });
});

const documentedOutputs = new Map(
  [...readFileSync('docs/command-line.md', 'utf8').matchAll(/^\| (`[a-z `,]+`) \| (.*) \|$/gm)].flatMap(([, names = '', output = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [name as string, output] as const),
  ),
);
const commands = listWithSubcommands(await createProgram([]))
  .filter(({ options }) => options.some(({ long }) => long === '--json'))
  .map(getCommandName);

test('the documentation describes the --json output of every command, and a test checks each description', () => {
  assert.deepEqual([...documentedOutputs.keys()].toSorted(), commands.toSorted());
  // These have their own tests.
  assert.deepEqual(
    commands.filter(
      (name) =>
        !['start', 'proxy', 'listen', 'fixtures record'].includes(name) &&
        !COMMAND_LINES.some((line) => line === name || line.startsWith(`${name} `)),
    ),
    [],
  );
});

for (const line of COMMAND_LINES)
  test(`the output of xpk ${line} --json is as documented`, async () => {
    const { data: deliveries } = await kit.control.GET('/_control/deliveries');
    const args = line
      .replace('$DELIVERY', deliveries[0]?.id ?? '')
      .replaceAll('$FOLDER', folder)
      .split(' ');
    const { stdout, stderr } = await run(...args, '--json', ...(isLocal(line) ? [] : ['--url', kit.url]));
    const name = commands.findLast((each) => line === each || line.startsWith(`${each} `)) as string;
    const output: unknown = name === 'logs' ? stdout.split('\n').map((text) => JSON.parse(text)) : JSON.parse(stdout || stderr);
    const forms = [...documentedOutputs.get(name)!.matchAll(/`([^`]+)`/g)].map(([, form]) => form as string);
    assert.ok(
      forms.some((form) => matchesForm(form, output)) || (line.endsWith('--print') && Array.isArray(output)),
      `${forms.join(', ')}: ${stdout}`,
    );
  });

/** @param documented the operation whose response is printed, or member names such as `{file}` or `[{id, text}]` */
function matchesForm(documented: string, output: unknown): boolean {
  if (documented in controlOperations) {
    const id = documented as ControlOperationId;
    const references: Readonly<Record<number, string>> = schemaReferences.responses[id as keyof typeof schemaReferences.responses];
    return getValidator(references[controlOperations[id].successStatus] as string)(output).length === 0;
  }
  const [, list, members = ''] = /^(\[)?\{(.*)\}\]?$/.exec(documented) ?? [];
  const objects = list === undefined ? [output] : (output as object[]);
  return objects.length > 0 && objects.every((each) => Object.keys(each as object).join(', ') === members);
}
