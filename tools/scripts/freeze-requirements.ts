// npm run freeze-requirements -- 2026-11
// Writes openapi/requirements/2026-11.json with the rules of this version, for xpk conformance --requirements.
import { writeFileSync } from 'node:fs';
import { getCurrentRequirements, listRequirements, readRequirements } from '../../src/cli/reports/requirements-files.ts';
import { version } from '../../src/version.ts';

const [name = ''] = process.argv.slice(2);
if (!/^\d{4}-\d{2}(-\d+)?$/.test(name)) throw new Error('Give the release month, such as: npm run freeze-requirements -- 2026-11');
if ((await listRequirements()).includes(name) && (await readRequirements(name, '')).kit !== version)
  throw new Error(`${name} belongs to another release. Use a name such as ${name}-2.`);
const { kit, rules } = getCurrentRequirements();
const lines = Object.entries(rules).map(([id, rule]) => `    ${JSON.stringify(id)}: ${JSON.stringify(rule)}`);
writeFileSync(`openapi/requirements/${name}.json`, `{\n  "kit": ${JSON.stringify(kit)},\n  "rules": {\n${lines.join(',\n')}\n  }\n}\n`);
