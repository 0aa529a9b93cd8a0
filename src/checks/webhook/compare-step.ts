import { getResponseData } from '../../control-client/client.ts';
import { OWN_TRACE_ID } from './check-world.ts';
import {
  type Comparison,
  compareAppliedEvents,
  compareEntities,
  compareOthers,
  compareTotal,
  compareUnique,
  compareUsers,
  describeShownState,
  type ExpectedEntity,
  listOthers,
  type ScenarioEntity,
} from './compare.ts';
import { ScenarioEnd } from './result.ts';
import { addToTimeline, type RunningScenario } from './running-scenario.ts';
import type { Compare, EntityName } from './scenario.ts';
import type { ConsumerState } from './view.ts';

/** Compares the consumer's state with the world. @throws ScenarioEnd if they differ */
export async function compareWithWorld(scenario: RunningScenario, step: Compare): Promise<void> {
  const { viewPoller, unsettled, recovery } = scenario;
  const { comparison, view } = await viewPoller.waitUntilEqual(await createComparer(scenario, step), unsettled, recovery !== undefined);
  Object.assign(scenario, { unsettled: 0, recovery: undefined });
  if (recovery === 'lost-store') await checkThatStoreWasLost(scenario, view);
  if ('hidden' in comparison) {
    const missing = comparison.hidden.length === 0 ? ['--state-url'] : comparison.hidden.map((member) => `state.${member}`);
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

/** @throws ScenarioEnd if the consumer still knows an entity that it has neither listed nor read since the loss */
async function checkThatStoreWasLost(scenario: RunningScenario, view: ConsumerState): Promise<void> {
  const known = [...scenario.entities.values()].filter((entity) => describeShownState(entity, view) !== undefined);
  if (known.length === 0 || (await readPaths(scenario)).length > 0) return;
  const names = known.map(({ name }) => name).join(', ');
  const reason = `after --lose-store, the state still shows ${names}, although your consumer has requested nothing from the kit since then, so your consumer has probably not lost its store`;
  throw new ScenarioEnd({ verdict: 'not-testable', reason });
}

export async function rememberOthers(scenario: RunningScenario): Promise<void> {
  const { view } = await scenario.viewPoller.waitUntilEqual(() => ({ hidden: [] }));
  scenario.others = listOthers(view, scenario.world.listPrepared(), scenario.world.createdUsers);
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
      const expected = known.map((entity) => ({ entity, state: getExpectedState(scenario, entity) }));
      return (view) => compareEntities(expected, view);
    }
    case 'everything': {
      const parts = ['entities', 'applied', 'unique', 'total'] as const;
      const comparers = await Promise.all(parts.map((part) => createComparer(scenario, { step: 'compare', what: part })));
      return async (view) => {
        const [entities, ...others] = await Promise.all(comparers.map((each) => each(view)));
        if ('hidden' in entities!) return entities;
        const compared = [entities!, ...others, compareOthers(scenario.others ?? [], view)];
        return { differences: compared.flatMap((each) => ('hidden' in each ? [] : each.differences)) };
      };
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
    case 'no-lists': {
      const paths = await readPaths(scenario);
      return () => ({ differences: paths.filter((path) => LIST_PATH.test(path)).map((path) => `The consumer read ${path}.`) });
    }
    case 'path-of-assignments': {
      const paths = await readPaths(scenario, 'getExperienceAssignments');
      if (paths.length === 0)
        throw new ScenarioEnd({ verdict: 'not-testable', reason: 'the consumer did not request the list of assignments from the kit' });
      const flat = paths.filter((path) => path.startsWith('/experience-assignments'));
      return () => ({ differences: flat.slice(0, 1).map((path) => `The consumer read the list of assignments at ${path}.`) });
    }
  }
}

/** Returns the state after the entity's latest change. Undefined: the entity was deleted. */
function getExpectedState({ events }: RunningScenario, { name, kind }: ScenarioEntity): ExpectedEntity['state'] {
  const { type } = [...events.values()].findLast(({ entity }) => entity === name)!;
  if (type.endsWith('.deleted')) return undefined;
  return kind !== 'connections' ? 'exists' : type.endsWith('.activated') ? 'ACTIVE' : 'INACTIVE';
}

const LIST_PATH = /^(\/experience[-/](connections|assignments)|\/users)(\?|$)/;

/** Lists the requests since the consumer was restarted or lost its store. */
async function readPaths({ control, lastRequestBeforeLoss: since }: RunningScenario, operation?: string): Promise<readonly string[]> {
  const query = { ...(operation !== undefined && { operation }), ...(since !== undefined && { since }) };
  const requests = await getResponseData(control.GET('/_control/requests', { params: { query } }));
  return requests.flatMap(({ path, traceId }) => (traceId === OWN_TRACE_ID ? [] : path));
}

function describeView({ entities }: RunningScenario, view: ConsumerState): Readonly<Record<EntityName, string | null>> {
  return Object.fromEntries([...entities.values()].map((entity) => [entity.name, describeShownState(entity, view) ?? null]));
}
