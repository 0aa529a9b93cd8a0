import { get, send } from '../http.ts';
import { startExpress, startKit, startProxy } from '../processes.ts';
import type { Scenario } from '../report.ts';
import { compareContenders } from '../rounds.ts';
import { CHECK_PATH } from '../world.ts';

/** Compares `xpk proxy`, with its journal, with http-proxy, which only forwards. Both forward to the same server. */
export const measureProxy: Scenario = async (options, log) => {
  const [request, body] = await requestKit();
  // Not on the core of the proxies.
  await using target = await startExpress(body, 'load');
  await using proxy = await startProxy('proxy.ts', CHECK_PATH, target.port);
  await using bare = await startProxy('http-proxy.mjs', CHECK_PATH, target.port);
  for (const { port } of [proxy, bare])
    if ((await send(port, request)) !== body) throw new Error('a proxy changed the response, so the speeds are not comparable');
  const contenders = [
    { name: 'xpk proxy', server: proxy, requests: [request] },
    { name: 'http-proxy', server: bare, requests: [request] },
  ];
  const faster = await compareContenders(contenders, options, log);
  const against = 'http-proxy, which records nothing';
  const figures = faster('xpk proxy', 'http-proxy');
  return [{ what: 'assignability check through xpk proxy', against, unit: 'x', figures, target: { atLeast: 0.5 } }];
};

async function requestKit() {
  await using kit = await startKit({ clients: 1 });
  const request = get(CHECK_PATH, kit.tokens[0]!);
  return [request, await send(kit.port, request)] as const;
}
