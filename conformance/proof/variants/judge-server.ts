import { type DecisionId, type Decisions, defaultDecisions } from '../../../src/contract/generated/decisions.ts';
import type { Results } from '../../../src/report/results.ts';
import { totalsOf } from '../../../src/report/totals.ts';
import { again } from './again.ts';
import { culprits } from './culprits.ts';
import { type Objection, objectionsTo } from './judge.ts';
import { leftOut } from './left-out.ts';
import { observable, type Turned } from './plan.ts';
import { runSuite } from './run-suite.ts';

export interface Judged {
  /** As `id=value`: what the kit says that it decides otherwise than by default. */
  readonly turned: readonly string[];
  readonly objections: number;
  readonly lines: readonly string[];
}

/** Runs the suite against one of the servers. */
export async function judgeServer(servers: readonly Turned[], index: number): Promise<Judged> {
  const [server = {}, begun] = [servers[index], performance.now()];
  const { said, ...part } = leftOut(servers, index);
  const { results, inForce } = await runSuite(server, part);
  const seconds = secondsSince(begun);
  const objections = await lasting(server, objectionsTo(results, inForce, observable));
  const because = objections.length === 0 ? [] : await culprits(server, objections);
  const turned = turnedIn(inForce);
  const lines = [
    `server ${index + 1} of ${servers.length}: ${turned.length} decisions turned; ${totals(results)}; ${said}; ${howSeen(objections)}; ${seconds}`,
    `  ${turned.join(' ')}`,
    ...objections.map(({ text }) => `  ✗ ${text.replaceAll('\n', '\n    ')}`),
    ...because.map((text) => `  → ${text}`),
  ];
  return { turned, objections: objections.length, lines };
}

/** The values that no server takes: the suite itself stays green before those in every other run, but has to see them, too. */
export async function judgeDefaults(): Promise<Judged> {
  const begun = performance.now();
  const { results, inForce } = await runSuite({}, { rules: [], observing: true });
  const objections = await lasting({}, objectionsTo(results, inForce, observable));
  const lines = [`defaults: only observed; ${howSeen(objections)}; ${secondsSince(begun)}`, ...objections.map(({ text }) => `  ✗ ${text}`)];
  return { turned: turnedIn(inForce), objections: objections.length, lines };
}

/** What shows nothing once may have been too slow among the others, and is asked for by itself. */
async function lasting(server: Turned, objections: readonly Objection[]): Promise<readonly Objection[]> {
  const unseen = objections.filter((each) => each.unseen);
  if (unseen.length === 0) return objections;
  return [...objections.filter((each) => !each.unseen), ...(await again(server, unseen))];
}

function howSeen(objections: readonly Objection[]): string {
  const otherwise = objections.filter(({ decision }) => decision !== undefined).length;
  return `${observable.length} decisions seen, ${otherwise} of them otherwise than they are`;
}

function secondsSince(begun: number): string {
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`;
}

function totals({ rules }: Results): string {
  const levels = (['documented', 'implied'] as const).map((level) => {
    const { inScope, passed, failed, error, 'not-testable': untested } = totalsOf(rules, level);
    return `${level} ${passed} of ${inScope} passed, ${failed} failed, ${error} errors, ${untested} not testable`;
  });
  return levels.join('; ');
}

function turnedIn(inForce: Readonly<Decisions>): string[] {
  return (Object.keys(inForce) as DecisionId[]).filter((id) => inForce[id] !== defaultDecisions[id]).map((id) => `${id}=${inForce[id]}`);
}
