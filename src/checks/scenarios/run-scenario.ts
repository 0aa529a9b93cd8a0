import { randomBytes } from 'node:crypto';
import type { components } from '../../contract/generated/control.ts';
import { fetchWhole } from '../../contract/limited-body.ts';
import { type ControlClient, createControlClient, RefusedError } from '../../control-client/client.ts';
import type { ApiRequest } from '../../refusals/scenario.ts';
import type { NamedScenario } from './list-scenarios.ts';
import { type Step, toCurl, toSteps } from './steps.ts';

/** The URLs have no trailing slash. */
interface KitAddress {
  readonly url: string;
  readonly controlToken?: string | undefined;
}

export type ScenarioRun = Awaited<ReturnType<typeof runScenario>>;

export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

/** Calls the kit only to look up entity ids. */
export async function printScenario({ scenario }: NamedScenario, kit: KitAddress): Promise<string[]> {
  const { before, request, after } = toSteps(scenario);
  const steps = await Promise.all([...before, request, ...after].map((step) => replacePlaceholders(step, kit)));
  return steps.map((step) => toCurl(step, kit.url, kit.controlToken !== undefined));
}

/** @throws ScenarioError if the kit lacks a needed entity or token, or shows a login page */
export async function runScenario(named: NamedScenario, kit: KitAddress, keep = false) {
  const { before, request, after } = toSteps(named.scenario);
  const captured: Record<string, string> = {};
  const sent: { curl: string; status: number }[] = [];

  async function send(step: Step): Promise<Answer> {
    const ready = replaceVariables(await replacePlaceholders(step, kit), captured);
    const headers = await buildHeaders(ready, kit);
    const answer = await sendCopies(ready, headers, kit);
    sent.push({ curl: toCurl(ready, kit.url, kit.controlToken !== undefined), status: answer.status });
    return answer;
  }
  async function prepare(step: Step): Promise<void> {
    const answer = await send(step);
    if (answer.status >= 400) throw new ScenarioError(`${describeRefusal(step, answer)} ${RESET_ADVICE}`);
    if (step.capture) captured[step.capture.name] = captureValue(answer, step.capture.member);
    isChanged = true;
  }

  let isChanged = false;
  /** Continues after a failed step, and returns why steps failed. */
  async function restore(): Promise<string[]> {
    const problems: string[] = [];
    if (keep || !isChanged) return problems;
    for (const step of after) {
      try {
        const answer = await send(step);
        if (answer.status >= 400) problems.push(describeRefusal(step, answer));
      } catch (error) {
        problems.push(`${step.method} ${step.path} failed: ${(error as Error).message}`);
      }
    }
    return problems;
  }

  let answered: Answer;
  try {
    for (const step of before) await prepare(step);
    answered = await send(request);
  } catch (error) {
    const problems = await restore();
    if (problems.length === 0) throw error;
    throw new ScenarioError([(error as Error).message, 'The world was not restored:', ...problems].join(' '), { cause: error });
  }
  const { status, reason, body, traceId } = answered;
  const { expected } = named;
  return {
    scenario: named.id,
    title: named.scenario.title,
    sent,
    expected,
    answer: { status, reason, body },
    met: status === expected.status && (expected.reason === null || reason === expected.reason),
    traceId,
    /** Whether the scenario's changes remain in the world. */
    kept: keep && after.length > 0,
    /** Why calls that restore the world failed. */
    notRestored: await restore(),
  };
}

const RESET_ADVICE = 'Scenarios are written for the demo world. xpk reset restores the world that the kit was started with.';

interface Answer {
  readonly status: number;
  /** The problem type without `/problems/`, or the OAuth error code. */
  readonly reason: string | null;
  readonly body: unknown;
  readonly location: string | null;
  readonly traceId: string;
}

/** Returns the first error, or else the last response. */
async function sendCopies(step: Step, headers: Record<string, string>, kit: KitAddress): Promise<Answer> {
  const { method = 'GET', path, body, form, copies = 1 } = step;
  const payload = form ? new URLSearchParams(form).toString() : typeof body === 'string' ? body : JSON.stringify(body);
  const sendOnce = async (): Promise<Answer> => {
    const traceId = randomBytes(16).toString('hex');
    const response = await fetchWhole(`${kit.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
      ...(payload !== undefined && { body: payload }),
    });
    const parsed = parseJsonOrText(await response.text());
    const location = response.headers.get('location');
    return { status: response.status, reason: findReason(parsed, location), body: parsed, location, traceId };
  };
  const answers = await Promise.all(Array.from({ length: copies }, sendOnce));
  return answers.find(({ status }) => status >= 400) ?? (answers.at(-1) as Answer);
}

function findReason(body: unknown, location: string | null): string | null {
  const { type, error } = Object(body) as { type?: string; error?: string };
  return (
    type?.replace(/^\/problems\//, '') ?? error ?? (location === null ? null : new URL(location, 'http://kit').searchParams.get('error'))
  );
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const describeRefusal = ({ method = 'GET', path }: Step, { status, body }: Answer): string =>
  `${method} ${path} got ${status}: ${(Object(body) as { detail?: unknown }).detail ?? 'The response has no detail.'}`;

function captureValue({ body, location }: Answer, member: string): string {
  if (member === 'code') {
    const code = location === null ? null : new URL(location, 'http://kit').searchParams.get('code');
    if (code !== null) return code;
    throw new ScenarioError("The kit's login page waits for a user before it issues a code. Start the kit with: xpk start --login auto");
  }
  return String((body as Readonly<Record<string, unknown>>)[member]);
}

async function buildHeaders({ api, token = 'full', headers = {}, body, form }: Step, kit: KitAddress): Promise<Record<string, string>> {
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const content = body === undefined && !form && api === 'service' ? {} : { 'content-type': type };
  if (api === 'control') return { ...content, ...(kit.controlToken !== undefined && { 'x-control-token': kit.controlToken }) };
  const bearer = await getBearerToken(token, kit);
  return { ...content, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }), ...headers };
}

async function getBearerToken(token: NonNullable<ApiRequest['token']>, kit: KitAddress): Promise<string | undefined> {
  if (token === 'none') return undefined;
  if (typeof token === 'object') {
    const body = { client: 'acme-web', principal: 'manager', kind: token.kind };
    return (await callControl(kit, (control) => control.POST('/_control/tokens', { body }))).accessToken;
  }
  const { tokens } = await callControl(kit, (control) => control.GET('/_control/info'));
  if (tokens[token] === undefined) throw new ScenarioError(`The kit has no ready-made token "${token}". ${RESET_ADVICE}`);
  return tokens[token];
}

const PLACEHOLDER_PATTERN = /\{([a-zA-Z]+)\/([^{}"]+)\}/;

/** Replaces placeholders such as `{users/ada}` with the entities' ids. */
export async function replacePlaceholders<Request extends ApiRequest>(request: Request, kit: KitAddress): Promise<Request> {
  let text = JSON.stringify(request);
  for (let found = PLACEHOLDER_PATTERN.exec(text); found; found = PLACEHOLDER_PATTERN.exec(text)) {
    const [placeholder, collection, id] = found as unknown as [string, components['schemas']['Collection'], string];
    const path = { collection, id };
    const entity = await callControl(kit, (control) => control.GET('/_control/state/{collection}/{id}', { params: { path } }));
    text = text.replaceAll(placeholder, (entity as { id: string }).id);
  }
  return JSON.parse(text) as Request;
}

function replaceVariables(step: Step, captured: Readonly<Record<string, string>>): Step {
  return JSON.parse(JSON.stringify(step).replaceAll(/\$([A-Z]+)/g, (text, name: string) => captured[name] ?? text)) as Step;
}

async function callControl<Data>(kit: KitAddress, call: (control: ControlClient) => Promise<{ readonly data: Data }>): Promise<Data> {
  const { data } = await call(createControlClient(kit.url, { controlToken: kit.controlToken })).catch((error: unknown) => {
    throw error instanceof RefusedError ? new ScenarioError(`${error.detail} ${RESET_ADVICE}`) : error;
  });
  return data;
}
