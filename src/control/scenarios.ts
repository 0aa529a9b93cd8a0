import { didYouMean } from '../contract/did-you-mean.ts';
import type { DecisionId } from '../contract/generated/decisions.ts';
import { countEntities } from '../store/counts.ts';
import { listPackagedFixtures } from '../world/package-files.ts';
import { readScenario } from '../world/scenario.ts';
import { type ControlHandlers, refuseRequest } from './handler.ts';
import { loadSeed } from './reset.ts';

export const scenarioHandlers: Pick<ControlHandlers, 'listScenarios' | 'loadScenario'> = {
  async listScenarios() {
    const names = await listPackagedFixtures('scenario');
    const body = await Promise.all(
      names.map(async (name) => {
        const { description, world, faults, decisions } = await readScenario(name);
        return { name, description, world: world.world, faults: faults.length, decisions };
      }),
    );
    return { status: 200, body };
  },

  async loadScenario({ params: { scenario: name } }, { store, world, decisions, journal, clearRateWindows }) {
    const names = await listPackagedFixtures('scenario');
    if (!names.includes(name))
      return refuseRequest(
        'not-found',
        `There is no scenario "${name}".${didYouMean(name, names) || ` The scenarios are: ${names.join(', ')}.`}`,
      );
    const scenario = await readScenario(name);
    const other = (Object.keys(scenario.decisions) as DecisionId[]).find((id) => scenario.decisions[id] !== decisions[id]);
    if (other !== undefined) {
      const [needed, inForce] = [scenario.decisions[other], decisions[other]].map((value) => JSON.stringify(value));
      const detail = `The scenario requires the decision ${other}=${needed}, but this kit has ${inForce}. Decisions are set when a kit starts: xpk start --scenario ${name}`;
      return refuseRequest('conflict', detail);
    }
    await loadSeed(scenario, { store, world });
    clearRateWindows();
    // Clear the journal, because its requests were sent to the previous world.
    await journal.clear();
    return { status: 200, body: { world: world.name, entities: await countEntities(store.db) } };
  },
};
