// Writes the names of the functions that a module exports, including those of its default export, to file descriptor 3.
import { writeSync } from 'node:fs';

const module = (await import(process.argv[2]!)) as Record<string, unknown>;
const holders = [module, module.default].filter((holder) => typeof holder === 'object' && holder !== null) as Record<string, unknown>[];
writeSync(3, JSON.stringify(holders.flatMap((holder) => Object.keys(holder).filter((name) => typeof holder[name] === 'function'))));
process.exit();
