import { Argument, Command, Option } from 'commander';
import { type ControlRow, controlTable, type Verb, verbGroups } from '../../contract/generated/control-table.ts';
import { getKitOfWorld } from '../../contract/world-url.ts';
import { type ControlOperationId, callOperation } from '../../control-client/call.ts';
import { UnhealthyError } from '../../control-client/errors.ts';
import { type ControlFlags, createClient, createControlCommand } from '../command.ts';
import { type ControlClient, getResponseData, RefusedError } from '../control-client.ts';
import { UsageError } from '../usage-error.ts';
import { formatYaml } from '../yaml.ts';
import { addParser, listParameters, type Parameter, readValue } from './parameters.ts';
import { PRINTERS } from './printers.ts';
import { fillTemplate, formatColumns } from './template.ts';

/** One of the operations of a command. `when` selects it. */
interface Choice {
  readonly id: ControlOperationId;
  readonly row: ControlRow;
  readonly verb: Verb;
  readonly parameters: readonly Parameter[];
}

const CHOICES: readonly Choice[] = Object.entries(controlTable).flatMap(([id, row]) =>
  row.verbs.filter(({ hand }) => !hand).map((verb) => ({ id: id as ControlOperationId, row, verb, parameters: listParameters(row, verb) })),
);

/** Creates the command with these words, such as `fault` or `fault add`, from the table of operations, with its subcommands. */
export function createVerb(words: string): Command {
  const choices = CHOICES.filter(({ verb }) => verb.words === words);
  const subcommands = CHOICES.filter(({ verb }) => verb.words.startsWith(`${words} `) && verb.when === undefined);
  const name = words.split(' ').at(-1) as string;
  const command = choices.length === 0 ? new Command(name).description(verbGroups[words] as string) : createOperationCommand(name, choices);
  // Lets a subcommand have options with the same names.
  if (subcommands.length > 0) command.enablePositionalOptions();
  for (const { verb } of subcommands) command.addCommand(createVerb(verb.words), { isDefault: verb.default ?? false });
  const [{ help = '', examples = [] } = {}] = choices.map(({ verb }) => verb);
  const all = choices.length > 0 ? examples : subcommands.flatMap(({ verb }) => verb.examples?.[0] ?? []);
  return command.addHelpText(
    'after',
    `${help && `\n${help}`}\nExample${all.length > 1 ? 's' : ''}:\n${all.map((line) => `  ${line}`).join('\n')}`,
  );
}

function createOperationCommand(name: string, choices: readonly Choice[]): Command {
  const command = createControlCommand(name).description(choices.find(({ verb }) => verb.short !== undefined)?.verb.short ?? '');
  const parameters = choices.flatMap((choice) => choice.parameters);
  const added = new Set<string>();
  for (const parameter of parameters) {
    if (added.has(parameter.name)) continue;
    added.add(parameter.name);
    addParameter(command, parameter, isRange(parameter, parameters));
  }
  for (const { verb } of choices)
    for (const key of listSelectors(verb))
      if (!parameters.some((parameter) => parameter.key === key)) command.option(`--${key}`, verb.hints?.[key] ?? '');
  return command.action(async (...args: unknown[]) => {
    const flags = args.at(-2) as ControlFlags & Record<string, unknown>;
    const given = new Map(Object.entries(flags));
    for (const [index, argument] of command.registeredArguments.entries()) {
      const value = args[index];
      if (value !== undefined && !(Array.isArray(value) && value.length === 0)) given.set(argument.name(), value);
    }
    await runOperation(command, chooseOperation(command, choices, given), given, flags);
  });
}

function addParameter(command: Command, parameter: Parameter, range: boolean): void {
  const { name, placeholder, description, argument, schema } = parameter;
  if (argument !== undefined) {
    const added = new Argument(argument, description);
    addParser(added, parameter, range);
    command.addArgument(added);
    return;
  }
  const option = new Option(`--${name} ${placeholder}`.trim(), description).makeOptionMandatory(schema.isRequired ?? false);
  addParser(option, parameter, range);
  command.addOption(option);
}

const isRange = ({ name, argument }: Parameter, all: readonly Parameter[]): boolean =>
  argument === undefined && all.some((other) => other.name === name && other.isUpperEnd);

const listSelectors = ({ when = [] }: Verb): readonly string[] => [when].flat();

/** @throws UsageError if options or arguments of several operations are given */
function chooseOperation(command: Command, choices: readonly Choice[], given: ReadonlyMap<string, unknown>): Choice {
  const selected = choices.filter(({ verb }) => listSelectors(verb).some((key) => given.has(key)));
  const choice = selected[0] ?? choices.find(({ verb }) => verb.when === undefined)!;
  const own = [...choice.parameters.map(({ key }) => key), ...listSelectors(choice.verb)];
  const all = choices.flatMap(({ parameters, verb }) => [...parameters.map(({ key }) => key), ...listSelectors(verb)]);
  const other = all.find((key) => given.has(key) && !own.includes(key));
  if (other === undefined) return choice;
  const selector = listSelectors(choice.verb).find((key) => given.has(key))!;
  throw new UsageError(`Give ${getDisplayedName(command, selector)} or ${getDisplayedName(command, other)}, not both.`);
}

function getDisplayedName(command: Command, key: string): string {
  return command.options.find((option) => option.attributeName() === key)?.long ?? `<${key}>`;
}

async function runOperation(command: Command, { id, row, verb, parameters }: Choice, given: Map<string, unknown>, flags: ControlFlags) {
  const values: Record<string, unknown> = { ...verb.defaults };
  for (const parameter of parameters.filter(({ key }) => given.has(key))) {
    const { field, key } = parameter;
    const other = parameters.find((each) => each.field === field && given.has(each.key))!;
    if (other !== parameter)
      throw new UsageError(`Give ${getDisplayedName(command, key)} or ${getDisplayedName(command, other.key)}, not both.`);
    values[field] = await readValue(parameter, given.get(key), isRange(parameter, parameters));
  }
  // Only the kit itself has worlds, and XPK_URL may be the URL of a world.
  const url = row.path.startsWith('/_control/worlds') ? getKitOfWorld(flags.url) : flags.url;
  const control = createClient({ ...flags, url }, true);
  const answer = (await callWithStatus(control, id, values, row)) ?? { [verb.result ?? id]: Object.values(values)[0] ?? 'all' };
  const shown: Shown = verb.then === undefined ? { id, verb, answer } : await callNext(control, verb.then, values);
  console.log(flags.json ? JSON.stringify(shown.answer) : await formatAnswer(shown, values, control, { ...flags, url }));
}

/** An operation's response, or its replacement if it has no body. */
interface Shown extends Pick<Choice, 'id' | 'verb'> {
  readonly answer: unknown;
}

async function callNext(control: ControlClient, next: ControlOperationId, values: object): Promise<Shown> {
  const { id, verb } = CHOICES.find((choice) => choice.id === next)!;
  return { id, verb, answer: await getResponseData(callOperation(control, id, values as never)) };
}

async function callWithStatus(control: ControlClient, id: ControlOperationId, values: object, { fields }: ControlRow): Promise<unknown> {
  const call: Promise<{ data?: unknown }> = callOperation(control, id, values as never);
  return (
    await call.catch((error: unknown) => {
      if (error instanceof UnhealthyError) {
        process.exitCode = 1;
        return { data: error.health };
      }
      // The control API responds with 404 if a wait times out. The message then omits the server's URL.
      const isTimeout = fields.timeoutMs !== undefined && error instanceof RefusedError && error.type === '/problems/control.not-found';
      throw isTimeout ? new Error(error.detail) : error;
    })
  ).data;
}

function formatAnswer({ id, verb, answer }: Shown, values: object, control: ControlClient, flags: ControlFlags): string | Promise<string> {
  if (Array.isArray(answer) && answer.length === 0 && verb.empty !== undefined) return verb.empty;
  const columns = getColumns(verb);
  const print = PRINTERS[id] as ((printed: object) => string | Promise<string>) | undefined;
  if (print !== undefined) return print({ answer, values, columns, control, verb, flags });
  if (verb.says !== undefined) return fillTemplate(verb.says, { ...values, ...(answer as object) });
  return columns === undefined ? formatYaml(answer as object) : formatColumns(columns, answer as readonly unknown[]);
}

function getColumns({ columns }: Verb): Exclude<Verb['columns'], string> {
  return typeof columns === 'string' ? getColumns(controlTable[columns].verbs[0]!) : columns;
}
