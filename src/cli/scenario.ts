import { Command, Option } from 'commander';
import { describeRule, findScenario, listScenarios, type NamedScenario, ruleScenarios } from '../checks/scenarios/list-scenarios.ts';
import { printScenario, runScenario, type ScenarioRun } from '../checks/scenarios/run-scenario.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { colourText } from '../report/printable.ts';
import { type ControlFlags, createClient, createControlCommand, print } from './command.ts';
import { getResponseData } from './control-client.ts';
import { formatTable, toOneLine } from './format.ts';
import { UsageError } from './usage-error.ts';

const createOperationOption = (description: string) => new Option('--operation <id>', description).choices(Object.keys(operations));

interface ListFlags {
  readonly operation?: OperationId;
  readonly json?: boolean;
}

interface RunFlags extends ControlFlags {
  readonly operation?: OperationId;
  readonly keep?: boolean;
  readonly print?: boolean;
}

export function createScenarioCommand(): Command {
  return new Command('scenario')
    .description(
      "Lists and runs scenarios that cause the service's refusals and state changes. Requires a running kit with the demo world. xpk start --scenario is a different command: it starts a kit with faults.",
    )
    .addCommand(
      new Command('list')
        .description('Lists the scenarios: the status, the name, and the special request or state.')
        .addOption(createOperationOption('only scenarios for this operation, such as getUser'))
        .option('--json', 'print the list as JSON')
        .action(listAllScenarios),
    )
    .addCommand(
      createControlCommand('run')
        .description(
          'Prepares the state, sends the request, and prints the commands, the response and its rule. Restores the world. Exits with 1 if the response is not as expected, or if the world cannot be restored.',
        )
        .argument('<scenario>', 'a rule, such as connections.delete.numbers-assigned; see xpk scenario list')
        .addOption(
          createOperationOption('the operation to request, for a rule such as auth.token.expired that applies to several operations'),
        )
        .option('--keep', 'keep the prepared state and faults')
        .option('--print', 'only print the curl commands, and send nothing')
        .action(runNamedScenario),
    )
    .addHelpText(
      'afterAll',
      '\nExamples:\n  xpk scenario list --operation getUsers\n  xpk scenario run connections.delete.numbers-assigned\n  xpk scenario run auth.token.expired --operation getUsers\n  xpk scenario run users.get.internal --print',
    );
}

async function listAllScenarios({ operation, json }: ListFlags): Promise<void> {
  const listed = listScenarios(operation);
  const others = ruleScenarios.flatMap(({ scenarios, ...rule }) => (scenarios.length > 0 ? [] : [rule]));
  const { listPackagedFixtures } = await import('../world/package-files.ts');
  const presets = await listPackagedFixtures('scenario');
  if (json) {
    const scenarios = listed.map(({ id, rule, operation: of, expected, scenario: { title } }) => ({
      id,
      rule,
      operation: of,
      expected,
      title,
    }));
    console.log(JSON.stringify({ scenarios, others: operation === undefined ? others : [] }));
    return;
  }
  console.log(
    formatTable([
      ['STATUS', 'NAME', 'REQUEST OR STATE'],
      ...listed.map(({ id, expected, scenario }) => [String(expected.status), id, scenario.title]),
    ]),
  );
  if (operation !== undefined) return;
  const otherRows = others.map((other) => ['', other.id, other.reason ?? `The same request as ${other.metWith}.`]);
  console.log(`\nRules without their own scenario:\n${formatTable(otherRows)}`);
  console.log(`\nTo start a kit with faults or settings, use xpk start --scenario with one of these names: ${presets.join(', ')}`);
}

async function runNamedScenario(name: string, { operation, keep, print: isPrinted, ...flags }: RunFlags): Promise<void> {
  const named = getScenario(name, operation);
  // This request fails with a helpful message if no kit is running.
  await getResponseData(createClient(flags).GET('/_control/info'));
  const kit = { url: flags.url.replace(/\/+$/, ''), ...(flags.controlToken !== undefined && { controlToken: flags.controlToken }) };
  if (isPrinted) {
    const commands = await printScenario(named, kit);
    print(flags, commands, () => commands.join('\n'));
    return;
  }
  const result = await runScenario(named, kit, keep);
  print(flags, { ...result, rule: { id: named.rule, ...describeRule(named.rule) } }, () => formatRun(named, result));
  if (!result.met || result.notRestored.length > 0) process.exitCode = 1;
}

function getScenario(name: string, operation: OperationId | undefined): NamedScenario {
  const found = findScenario(name, operation);
  if ('scenario' in found) return found;
  throw new UsageError(found.problem);
}

const MAX_BODY_LENGTH = 2000;

function formatRun({ rule, scenario }: NamedScenario, { sent, answer, expected, met, traceId, kept, notRestored }: ScenarioRun): string {
  const { text, level, section } = describeRule(rule);
  const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  const where = [level, section].filter((part) => part !== '').join(', ');
  const world = kept
    ? 'keeps the prepared state (--keep). xpk reset restores the world that the kit was started with'
    : notRestored.length > 0
      ? `was not restored. ${notRestored.join(' ')} xpk reset restores the world that the kit was started with`
      : sent.length > 1
        ? 'was restored'
        : 'was not changed';
  return [
    colourText('bold', scenario.title),
    ...sent.map(({ curl, status }) => `$ ${curl}\n  ${status}`),
    ...(body === '' ? [] : [toOneLine(body.slice(0, MAX_BODY_LENGTH))]),
    `Rule     ${rule} (${where})\n         ${text}`,
    ...(met
      ? []
      : [
          `Expected ${expected.status}${expected.reason === null ? '' : ` ${expected.reason}`}, but got ${answer.status} ${answer.reason ?? ''}. Scenarios are written for the demo world with the default decisions; xpk reset restores the world.`,
        ]),
    ...(answer.status >= 400 ? [`Explain  xpk explain ${traceId}`] : []),
    `World    The world ${world}.`,
  ].join('\n');
}
