import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { calculateSpread, type Row } from './report.ts';

/** What the CPU works for. The first match counts. */
const PARTS = {
  'Node.js': /^node:/,
  'the client of PostgreSQL': /^node_modules\/pg/,
  Express: /^node_modules\/(?!kysely|pino|undici)/,
  SQLite: /^src\/store\/sqlite\//,
  'sending webhooks': /^(node_modules\/undici|src\/events)\//,
  'the query layer': /^(node_modules\/kysely|src\/store)\//,
  'the journal': /^src\/journal\//,
  'the rest of the kit': /./,
} as const;

const REPOSITORY = new URL('../../', import.meta.url).href;
const GARBAGE = 'garbage collection';

/** Returns a row with the percentage of the CPU time that each part of a kit takes. A native function counts as its caller. */
export function createProfileRow(what: string, profile: Profiler.Profile): Row {
  const shares = Object.entries(summarizeProfile(profile)).filter(([, share]) => share >= 0.5);
  const figures = Object.fromEntries(shares.map(([part, share]) => [part, calculateSpread([share])]));
  return { what: `${what}: CPU time`, unit: '%', figures };
}

function summarizeProfile({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Record<string, number> {
  const parts = new Map<number, string | undefined>();
  const findPart = ({ functionName, url, lineNumber }: Profiler.ProfileNode['callFrame'], caller: string | undefined) => {
    if (functionName === '(garbage collector)') return GARBAGE;
    if (functionName === '(idle)' || functionName === '(root)') return undefined;
    if (url === '') return caller ?? 'Node.js';
    const module = url.startsWith(REPOSITORY) ? findModule(url.slice(REPOSITORY.length), lineNumber) : url;
    return Object.entries(PARTS).find(([, pattern]) => pattern.test(module))?.[0];
  };
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node: Profiler.ProfileNode, caller: string | undefined) => {
    const part = findPart(node.callFrame, caller);
    parts.set(node.id, part);
    for (const child of node.children ?? []) visit(byId.get(child)!, part);
  };
  visit(nodes[0]!, undefined);
  const times: Record<string, number> = Object.fromEntries([...Object.keys(PARTS), GARBAGE].map((part) => [part, 0]));
  samples.forEach((id, index) => {
    const part = parts.get(id);
    if (part !== undefined) times[part]! += timeDeltas[index]!;
  });
  const total = Object.values(times).reduce((sum, time) => sum + time);
  return Object.fromEntries(Object.entries(times).map(([part, time]) => [part, (time / total) * 100]));
}

const bundles = new Map<string, readonly string[]>();

/** Returns the module of a line. The bundler writes each module's path before its code. */
function findModule(path: string, line: number): string {
  if (!path.startsWith('dist/')) return path;
  let lines = bundles.get(path);
  if (lines === undefined) {
    lines = readFileSync(new URL(path, REPOSITORY), 'utf8').split('\n');
    bundles.set(path, lines);
  }
  const heading = lines.findLast((text, index) => index <= line && /^\/\/ (src|node_modules)\//.test(text));
  return heading?.slice(3) ?? 'src/';
}
