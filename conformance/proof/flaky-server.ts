import { randomAt } from '../../src/clock/random.ts';
import { createKit } from '../../src/kit.ts';
import { startProxy } from './mutants/forward.ts';

/** Of this many answers, one is wrong. */
const PERIOD = 20;

/**
 * Starts a kit behind a proxy that answers one of 20 requests to the service with an empty 500.
 * @param seed decides which one of each 20 answers is wrong
 */
export async function startFlakyServer(seed: number) {
  const kit = await createKit({ port: 0 });
  let answers = 0;
  const proxy = await startProxy(async (request) => {
    if (request.operation === undefined) return proxy.forward(kit.url + request.url, request);
    const block = Math.floor(answers / PERIOD);
    const isWrong = answers % PERIOD === Math.floor(randomAt(seed, block) * PERIOD);
    answers += 1;
    return isWrong ? { status: 500, headers: {}, text: '' } : proxy.forward(kit.url + request.url, request);
  });
  return {
    url: proxy.url,
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await kit.close();
    },
  };
}
