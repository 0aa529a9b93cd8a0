// How reports describe a sequence and its answers to people.
import { operations, type PathForm } from '../contract/generated/operations.ts';
import type { Answer, Request, TokenName } from './side.ts';
import type { Step } from './steps.ts';

type Sent = NonNullable<Step['request']>;
type Arguments = readonly unknown[];

/** What both sides answered to one request of a step. */
export interface Answers {
  readonly target: Answer;
  /** Undefined until the twin has answered. */
  twin?: Answer;
}

const PRINCIPALS: Readonly<Record<TokenName, string>> = {
  manager: 'as the manager',
  reader: 'as the reader',
  outsider: 'as the outsider',
  nobody: 'without a token',
  invalid: 'with an invalid token',
  expired: 'with an expired token',
  'no claim': 'with a token without the principal claim',
  'no scope': 'with a token without the scope',
};
const text = (value: unknown) => String(value);
const ACTIONS: Readonly<Record<string, (args: Arguments) => string>> = {
  'connections.create': ([pair]) => {
    const { accountId, experienceId } = pair as Readonly<Record<string, string>>;
    return `connects ${accountId} with ${experienceId}`;
  },
  'connections.update': ([id, state]) => `makes ${text(id)} ${text(state)}`,
  'assignments.create': ([body]) => {
    const { experienceId, targetValue } = body as Readonly<Record<string, string>>;
    return `assigns ${targetValue} to ${experienceId}`;
  },
  'users.create': ([account, names]) => {
    const { firstName, lastName } = (names ?? {}) as Readonly<Record<string, string>>;
    return `creates a user in ${text(account)}${names === undefined ? '' : ` with the name ${firstName} ${lastName}`}`;
  },
  'users.rename': ([id, name]) => `changes the firstName of ${text(id)} to ${text(name)}`,
  'accounts.create': () => 'creates an account',
  'numbers.create': ([account]) => `adds a telephone number to ${text(account)}`,
};

/** Describes a step in the present tense, with the names of entities. */
export function describeStep({ request, action, creates }: Step, times = 1): string {
  const often = times > 1 ? `${times} times at the same moment: ` : '';
  const asName = creates === undefined ? '' : ` (${creates})`;
  if (request) return removeMarks(`${often}${describeRequest(request.operation, request)}${asName}`);
  const [place, ...name] = action!.name.split('.');
  const say = ACTIONS[name.join('.')] ?? (([id]) => `deletes ${text(id)}`);
  return removeMarks(`${often}The ${place} ${say(action!.args)}${asName}`);
}

export function describeRequest(operation: Sent['operation'], { path, query, body, as, form }: Request): string {
  const search = Object.entries(query ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const content = body === undefined ? '' : ` ${JSON.stringify(body)}`;
  const { method } = operations[operation];
  return removeMarks(`${method.toUpperCase()} ${fillPath(operation, form, path)}${search && `?${search}`}${content}, ${PRINCIPALS[as]}`);
}

/** Describes a step with the target's answers, and the expected answers if some differ. */
export function describeExchange(step: Step, times: number, answers: readonly Answers[], isWithPrevious = false): string {
  const list = (side: keyof Answers) => answers.flatMap(({ [side]: answer }) => (answer ? describeOutcome(step, answer) : [])).join(', ');
  const isDifferent = answers.some(({ target, twin }) => twin !== undefined && target.status < 300 !== twin.status < 300);
  return `${isWithPrevious ? MEANWHILE : ''}${describeStep(dropUncreated(step, answers), times)} → ${list('target')}${isDifferent ? `\nexpected: ${list('twin')}` : ''}`;
}

/** Nothing has the name of what the target refused to create. */
export function dropUncreated(step: Step, answers: readonly Answers[]): Step {
  const { creates, ...others } = step;
  return answers.length > 0 && answers.every(({ target }) => target.status >= 300) ? others : step;
}

const describeOutcome = ({ action }: Step, answer: Answer) =>
  action === undefined ? describeAnswer(answer) : answer.status < 300 ? 'done' : `refused: ${shorten(answer.text)}`;

/** The status, and the reason for a refusal. */
export function describeAnswer({ status, text: body, json }: Answer): string {
  if (status < 300) return String(status);
  const { detail, title } = (json ?? {}) as { detail?: unknown; title?: unknown };
  const reason = [detail, title, body].find((each) => typeof each === 'string' && each !== '');
  return reason === undefined ? String(status) : `${status} (${shorten(String(reason))})`;
}

/** Two requests at the same moment are two steps. */
export const MEANWHILE = 'at the same moment as the previous request: ';
const MAX_REASON = 120;
const shorten = (reason: string) => (reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason);

/** A number sign in a name shows that a step created the entity. */
export const removeMarks = (marked: string): string =>
  marked
    .replace(/«([^»]+)»\^/g, '$1 in capital letters')
    .replace(/«([^»]+)»⌫/g, '$1 without its last digit')
    .replace(/«([^»#]+) #(\d+)»/g, 'new $1 $2')
    .replace(/[«»]/g, '');

export const fillPath = (operation: Sent['operation'], form: PathForm, path: Request['path'] = {}): string =>
  operations[operation].forms[form].replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');

/** Numbers the connections, the users and so on that the steps created, because the numbers in a shortened sequence have gaps. */
export function renumber(text: string, steps: readonly string[]): string {
  const names = new Set([...steps.join().matchAll(CREATED)].map(([name]) => name));
  const byKind = Map.groupBy(names, (name) => name.replace(/\d+$/, ''));
  return text.replaceAll(CREATED, (name, start: string) => {
    const kind = start.replaceAll('_', ' ').toLowerCase();
    const index = byKind.get(kind)?.indexOf(kind + name.slice(start.length)) ?? -1;
    return index < 0 ? name : `${start}${index + 1}`;
  });
}

/** In a sentence, or in the name of a script's variable. */
const CREATED = /\b(new[ _][a-z]+[ _])\d+/gi;
