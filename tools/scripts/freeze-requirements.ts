// npm run freeze-requirements -- 2026-11
// Writes openapi/requirements/2026-11.json with the rules of this version. Until the version is released, npm run generate updates the file.
import { existsSync, writeFileSync } from 'node:fs';
import { rules } from '../../src/contract/generated/rules-table.ts';
import { version } from '../../src/version.ts';
import { readChecks } from './generate/pages.ts';
import { formatRequirements, REQUIREMENTS_FOLDER } from './generate/requirements.ts';

const [name = ''] = process.argv.slice(2);
const path = `${REQUIREMENTS_FOLDER}/${name}.json`;
if (!/^\d{4}-\d{2}(-\d+)?$/.test(name)) throw new Error('Give the month of the release, such as: npm run freeze-requirements -- 2026-11');
if (existsSync(path)) throw new Error(`${path} exists. Give another name, such as ${name}-2.`);
writeFileSync(path, formatRequirements(version, rules, readChecks('.')));
