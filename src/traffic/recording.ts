import type { Call } from '../checks/client/call.ts';
import { toExchange } from '../checks/service/exchange.ts';
import type { World } from '../world/world.ts';
import { readExchange } from './exchange.ts';
import { LearnedFacts } from './learned-facts.ts';
import { buildWorld, type RecordOptions } from './to-world.ts';

/** Learns the world of a service from the calls that pass. */
export function startRecording() {
  const facts = new LearnedFacts();
  return {
    /** @param call an entry in a journal, in the order of the responses */
    add(call: Call): void {
      // A proxy may answer for its target.
      const exchange = call.step === undefined || call.step === 'forward' || call.step === 'done' ? toExchange(call, '') : undefined;
      if (exchange) facts.learn(readExchange(exchange));
    },
    buildWorld: (options: RecordOptions): World => buildWorld(facts, options),
  };
}
