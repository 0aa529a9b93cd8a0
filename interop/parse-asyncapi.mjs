// Parses an AsyncAPI document. Fails if the parser has a warning or a hint.
import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';

const { diagnostics } = await new Parser().parse(readFileSync(process.argv[2], 'utf8'));
for (const { code, message, path } of diagnostics) console.error(`${code} at ${path.join('.')}: ${message}`);
process.exitCode = diagnostics.length > 0 ? 1 : 0;
