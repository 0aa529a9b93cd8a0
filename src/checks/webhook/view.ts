import { Ajv2020 } from 'ajv/dist/2020.js';
import { UsageError } from '../../sdk/errors.ts';
import { runCommand } from './commands.ts';
import schema from './consumer-state.schema.json' with { type: 'json' };

/**
 * The consumer's view of the world, as its state endpoint, command or callback returns it. `consumer-state.schema.json` describes the same.
 * Every member is optional. What a missing member would show is not tested.
 */
export interface ConsumerState {
  /** The connections that the consumer knows, by id. A deleted connection is absent or null. */
  readonly connections?: Readonly<Record<string, ConnectionView | null>>;
  /** The assignments that the consumer knows, by id. A deleted assignment is absent or null. The check looks only at the ids. */
  readonly assignments?: Readonly<Record<string, object | null>>;
  /** The ids of the active users of each account, by accountId. */
  readonly users?: Readonly<Record<string, readonly string[]>>;
  /** The number of active users of all accounts. */
  readonly total?: number;
  /** How often the consumer applied the event with each webhook-id. */
  readonly applied?: Readonly<Record<string, number>>;
}

export interface ConnectionView {
  /** Absent or null while the consumer does not know the state: the event of the creation does not contain it. */
  readonly state?: 'ACTIVE' | 'INACTIVE' | null;
}

/** Where the check reads the view: a URL, a command that prints the view, or a function in this process. */
export type StateSource = { readonly url: string } | { readonly command: string } | (() => ConsumerState | Promise<ConsumerState>);

const validate = new Ajv2020({ strict: false, allowUnionTypes: true }).compile<ConsumerState>(schema);

/** Reads the view. @throws UsageError if the source does not return a view */
export async function readState(source: StateSource): Promise<ConsumerState> {
  const [name, value] = await read(source);
  if (!validate(value)) {
    const [first] = validate.errors ?? [];
    throw new UsageError(
      `${name} returned a state that does not fit consumer-state.schema.json: ${first?.instancePath || 'the state'} ${first?.message}.`,
    );
  }
  return withLowerCaseIds(value);
}

async function read(source: StateSource): Promise<[name: string, value: unknown]> {
  if (typeof source === 'function') return ['The state function', await source()];
  if ('command' in source) return ['The state command', parse('The state command', await runCommand(source.command, '--state-command'))];
  const name = `The state URL ${source.url}`;
  const response = await fetch(source.url, { signal: AbortSignal.timeout(READ_MS) }).catch((error: Error) => {
    const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException;
    throw new UsageError(`${name} did not respond (${code || error.message}). It must return the state of the consumer as JSON.`);
  });
  const text = await response.text();
  if (!response.ok) throw new UsageError(`${name} responded with ${response.status}. It must respond with 200 and the state as JSON.`);
  return [name, parse(name, text)];
}

const READ_MS = 10_000;

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${name} returned text that is not JSON: ${JSON.stringify(text.slice(0, 80))}.`);
  }
}

/** Ids are UUIDs, which may be written in either case. */
function withLowerCaseIds({ connections, assignments, users, applied, total }: ConsumerState): ConsumerState {
  return {
    ...(connections && { connections: lowerKeys(connections) }),
    ...(assignments && { assignments: lowerKeys(assignments) }),
    ...(users && { users: lowerKeys(users, (ids) => ids.map((id) => id.toLowerCase())) }),
    ...(applied && { applied: lowerKeys(applied) }),
    ...(total !== undefined && { total }),
  };
}

function lowerKeys<Value>(map: Readonly<Record<string, Value>>, change = (value: Value) => value): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key.toLowerCase(), change(value)]));
}
