// npm run variants [-- decision …]: whatever a correct service decides where the specification is open, the suite stays green before it, and sees it.
import { parseArgs } from 'node:util';
import { judgeDefaults, judgeServer } from './judge-server.ts';
import { alternatives, planServers } from './plan.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const isAsked = (id: string) =>
  positionals.length === 0 || positionals.some((wanted) => id === wanted || (wanted.endsWith('*') && id.startsWith(wanted.slice(0, -1))));

const begun = performance.now();
const servers = planServers(isAsked);
if (servers.length === 0) {
  console.error(`No decision that can be turned is ${positionals.join(' or ')}.`);
  process.exit(2);
}
// All at once: checks that wait leave the machine to those of other servers.
const judged = await Promise.all(
  [judgeDefaults(), ...servers.map((_, index) => judgeServer(servers, index))].map(async (judging) => {
    const { lines, ...verdict } = await judging;
    console.log(lines.join('\n'));
    return verdict;
  }),
);

const turned = new Set(judged.flatMap((each) => each.turned));
const asked = [...alternatives].filter(([id]) => isAsked(id));
const missed = asked.flatMap(([id, values]) => values.map((value) => `${id}=${value}`)).filter((each) => !turned.has(each));
for (const each of missed) console.log(`✗ never in force: ${each}`);
const objections = judged.reduce((sum, each) => sum + each.objections, missed.length);
const seconds = ((performance.now() - begun) / 1000).toFixed(1);
console.log(`${servers.length} servers, ${turned.size} alternatives of ${asked.length} decisions: ${objections} objections (${seconds} s)`);
if (objections > 0) process.exitCode = 1;
