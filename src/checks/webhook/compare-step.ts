import { getResponseData } from '../../control-client/client.ts';
import {
  type Comparison,
  compareAppliedEvents,
  compareEntities,
  compareTotal,
  compareUnique,
  compareUsers,
  describeShownState,
} from './compare.ts';
import { ScenarioEnd } from './result.ts';
import { addToTimeline, type RunningScenario } from './running-scenario.ts';
import type { Compare, EntityName } from './scenario.ts';
import type { ConsumerState } from './view.ts';

/** Compares the consumer's state with the world. @throws ScenarioEnd if they differ */
export async function compareWithWorld(scenario: RunningScenario, step: Compare): Promise<void> {
  const { comparison, view } = await scenario.viewPoller.waitUntilEqual(await createComparer(scenario, step));
  if ('hidden' in comparison) {
    const missing = comparison.hidden.length === 0 ? ['--state-url'] : comparison.hidden.map((member) => `--state-url with ${member}`);
    const reason =
      comparison.hidden.length === 0 ? "the consumer's state is unknown" : `the state shows no ${comparison.hidden.join(' and no ')}`;
    throw new ScenarioEnd({ verdict: 'not-testable', reason, missing });
  }
  const response = describeView(scenario, view);
  if (comparison.differences.length === 0) {
    addToTimeline(scenario, 'check', "The consumer's state is as expected.", { response });
    const reason = step.required ? await findMissingPrecondition(scenario, step) : undefined;
    if (reason !== undefined) throw new ScenarioEnd({ verdict: 'not-testable', reason });
    return;
  }
  const differences = comparison.differences.join(' ');
  // The timeline already shows the ids.
  const named = [...scenario.entities.values()].reduce((text, { id }) => text.replaceAll(` (${id})`, ''), differences);
  addToTimeline(scenario, 'check', named, { violation: !step.precondition, response });
  if (step.precondition)
    throw new ScenarioEnd({
      verdict: 'not-testable',
      reason: `the consumer's state was wrong before the step that tests the rule: ${differences}`,
    });
  throw new ScenarioEnd({ verdict: 'failed', failure: 'view', message: differences });
}

/** Returns why even a wrong consumer would have this state. */
async function findMissingPrecondition({ world, entities }: RunningScenario, { what, account: index = 0 }: Compare) {
  if (what === 'unique' && new Set([...entities.values()].map(({ account }) => account)).size === 1)
    return 'the world has only one account';
  const account = world.accounts[index]!;
  if (what === 'seeded' && (await world.readUsers(account)).ids.every((id) => world.createdUsers.has(id)))
    return `the account ${account.name} had no users before the check`;
  return undefined;
}

/** If the state has no `users`, stores its `total` after the whole time limit, because a late event may change the total. */
export async function saveConsumerTotal(scenario: RunningScenario): Promise<void> {
  const { view } = await scenario.viewPoller.waitUntilEqual(({ users }) =>
    users === undefined ? { differences: ['The total may change.'] } : { hidden: [] },
  );
  scenario.savedTotal = view.users === undefined ? view.total : undefined;
}

/** Reads constant values only once. */
async function createComparer(
  scenario: RunningScenario,
  { what = 'entities', account: index = 0, change = 0, required = false }: Compare,
): Promise<(view: ConsumerState) => Comparison | Promise<Comparison>> {
  const { world, events, savedTotal } = scenario;
  const known = [...scenario.entities.values()];
  const account = world.accounts[index]!;
  switch (what) {
    case 'entities': {
      const expected = await Promise.all(known.map(async (entity) => ({ entity, state: await world.readState(entity) })));
      return (view) => compareEntities(expected, view);
    }
    case 'seeded':
      return async (view) => compareUsers({ account, ...(await world.readUsers(account)) }, view, world.createdUsers);
    case 'all-users':
      return async (view) => compareUsers({ account, ...(await world.readUsers(account)) }, view);
    case 'unique': {
      const users = known.filter(({ kind }) => kind === 'users');
      return (view) => compareUnique(users, view);
    }
    case 'total':
      return (view) => compareTotal(view, savedTotal === undefined ? undefined : savedTotal + change);
    case 'applied': {
      const names = new Map([...events.values()].map(({ webhookId, type, entity }) => [webhookId, `${type} of ${entity}`]));
      return (view) => (required && view.applied === undefined ? { hidden: ['applied'] } : compareAppliedEvents(names, view));
    }
    case 'path-of-assignments': {
      const paths = await readListPaths(scenario);
      const flat = paths.filter((path) => path.startsWith('/experience-assignments'));
      return () => ({ differences: flat.slice(0, 1).map((path) => `The consumer read the list of assignments at ${path}.`) });
    }
  }
}

async function readListPaths({ control, lastRequestBeforeLoss }: RunningScenario): Promise<readonly string[]> {
  const query = { operation: 'getExperienceAssignments', ...(lastRequestBeforeLoss !== undefined && { since: lastRequestBeforeLoss }) };
  const requests = await getResponseData(control.GET('/_control/requests', { params: { query } }));
  if (requests.length > 0) return requests.map(({ path }) => path);
  throw new ScenarioEnd({ verdict: 'not-testable', reason: 'the consumer did not request the list of assignments from the kit' });
}

function describeView({ entities }: RunningScenario, view: ConsumerState): Readonly<Record<EntityName, string | null>> {
  return Object.fromEntries([...entities.values()].map((entity) => [entity.name, describeShownState(entity, view) ?? null]));
}
