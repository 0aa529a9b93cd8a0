// Parses an AsyncAPI document. Fails if the parser has a warning or a hint.
import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';

const parser = new Parser();
// The parser recommends AsyncAPI 3.1, but Modelina and other tools cannot read it.
parser.spectral.ruleset.rules['asyncapi-latest-version'].enabled = false;
const { diagnostics } = await parser.parse(readFileSync(process.argv[2], 'utf8'));
for (const { code, message, path } of diagnostics) console.error(`${code} at ${path.join('.')}: ${message}`);
process.exitCode = diagnostics.length > 0 ? 1 : 0;
