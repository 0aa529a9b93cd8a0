// npm run second-opinion: Prism judges the answers that the suite judges, from the same contract, with other code. Where the two differ one is wrong.
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { compare } from './compare.ts';
import { readDisagreements } from './disagreements-file.ts';
import { representative } from './exchanges.ts';
import { faultyOnes } from './faults.ts';
import { opinionOfPrism, ourOpinion } from './opinions.ts';
import { startPrism } from './prism.ts';
import { record } from './record.ts';
import { startReplay } from './replay.ts';

const begun = performance.now();
const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);

const disagreements = await readDisagreements(fileURLToPath(new URL('./disagreements.yaml', import.meta.url)));
const notes = await record();
const recorded = representative(notes);
const exchanges = [...recorded, ...faultyOnes(recorded)];
console.error(`${notes.length} answers recorded (${seconds()} s)`);

const replay = await startReplay(exchanges);
const prism = await startPrism('proxy', replay.url);
const agent = new Agent({ keepAlive: true });
try {
  const all = [];
  // One after the other: Prism works on one core, and a timeout is that of one answer.
  for (const [index, exchange] of exchanges.entries())
    all.push({ exchange, ours: ourOpinion(exchange), prism: await opinionOfPrism(prism.url, agent, exchange, index) });
  const { agreed, known, objections } = compare(all, disagreements);
  const times = known.reduce((sum, each) => sum + each.times, 0);
  console.log(
    `${recorded.length} kinds of answers of the service, and ${exchanges.length - recorded.length} made wrong on purpose (${seconds()} s)`,
  );
  console.log(`  both say that it fits         ${agreed.fits}`);
  console.log(`  both say that it does not     ${agreed.broken}`);
  console.log(`  known disagreements           ${times}, of ${known.length} kinds`);
  for (const { disagreement, times: of } of known) console.log(`    ${disagreement.id} (${of}; right: ${disagreement.right})`);
  for (const objection of objections) console.log(`\n${objection}`);
  if (objections.length > 0) process.exitCode = 1;
} finally {
  agent.destroy();
  await prism.close();
  await replay.close();
}
