import { Ajv2020 } from 'ajv/dist/2020.js';
import { fetchWhole } from '../../contract/limited-body.ts';
import { UsageError } from '../../control-client/errors.ts';
import { runCommand } from './commands.ts';
import schema from './consumer-state.schema.json' with { type: 'json' };

/**
 * The consumer's state, with the schema `consumer-state.schema.json`. A rule is not tested if the state lacks a member that the rule needs.
 */
export interface ConsumerState {
  /** Connections by id. A deleted connection is absent or null. */
  readonly connections?: Readonly<Record<string, ConnectionView | null>>;
  /** Assignments by id. A deleted assignment is absent or null. The check ignores the members of an assignment. */
  readonly assignments?: Readonly<Record<string, object | null>>;
  /** The ids of active users, by accountId. */
  readonly users?: Readonly<Record<string, readonly string[]>>;
  /** The total number of active users. */
  readonly total?: number;
  /** How often each event was applied, by webhook-id. */
  readonly applied?: Readonly<Record<string, number>>;
}

interface ConnectionView {
  /** Absent or null while unknown, because the creation event does not contain the state. */
  readonly state?: 'ACTIVE' | 'INACTIVE' | null;
}

/** The source of the consumer's state: a URL, a command that prints JSON, or a function. */
export type StateSource =
  | { readonly url: string; readonly fetch?: typeof fetch }
  | { readonly command: string }
  | (() => ConsumerState | Promise<ConsumerState>);

const UUID_PATTERN = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

const validate = new Ajv2020({ strict: false, allowUnionTypes: true }).compile<ConsumerState>(schema);

/** @throws UsageError if the source returns no valid state */
export async function readState(source: StateSource, interrupt?: AbortSignal): Promise<ConsumerState> {
  const [name, value] = await readSource(source, interrupt);
  if (!validate(value)) {
    const [first] = validate.errors ?? [];
    throw new UsageError(
      `${name} returned a state that does not match consumer-state.schema.json: ${first?.instancePath || 'the state'} ${first?.message}.`,
    );
  }
  // A UUID may also be written in upper case.
  return JSON.parse(JSON.stringify(value).replace(UUID_PATTERN, (id) => id.toLowerCase())) as ConsumerState;
}

async function readSource(source: StateSource, interrupt?: AbortSignal): Promise<[name: string, value: unknown]> {
  if (typeof source === 'function') return ['The state function', await source()];
  if ('command' in source)
    return ['The state command', parseJson('The state command', await runCommand(source.command, '--state-command', interrupt))];
  const name = `The state URL ${source.url}`;
  const response = await fetchWhole(source.url, { redirect: 'manual' }, { ...source, timeoutMs: READ_TIMEOUT_MS }).catch((error: Error) => {
    const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException;
    throw new UsageError(`${name} did not respond (${code || error.message}). It must return the consumer's state as JSON.`);
  });
  const text = await response.text();
  if (!response.ok) {
    const location = response.headers.get('location');
    const redirect = location === null ? '' : ` and a redirect to ${location}, which the check does not follow`;
    throw new UsageError(`${name} responded with ${response.status}${redirect}. It must respond with 200 and the state as JSON.`);
  }
  return [name, parseJson(name, text)];
}

const READ_TIMEOUT_MS = 10_000;

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${name} returned text that is not JSON: ${JSON.stringify(text.slice(0, 80))}.`);
  }
}
