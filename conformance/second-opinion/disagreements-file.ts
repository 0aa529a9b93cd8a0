import { Ajv2020 } from 'ajv/dist/2020.js';
import { toPointer } from '../../src/fixtures/problem.ts';
import { displayName, readText } from '../../src/fixtures/read-text.ts';
import { schemaProblems } from '../../src/fixtures/schema-problems.ts';
import { parseSource } from '../../src/fixtures/source.ts';
import type { Word } from './compare.ts';

/** A disagreement that is known, and why it stays. */
export interface Disagreement {
  readonly id: string;
  /** What kind of answer it is about, in a sentence. */
  readonly what: string;
  /** Which opinions these are. */
  readonly ours: Word;
  readonly prism: Word;
  /** The fault of the answers that it is about; absent: those that the service gave. */
  readonly fault?: string;
  readonly right: 'ours' | 'prism' | 'both' | 'neither';
  readonly why: string;
}

const TEXT = { type: 'string', minLength: 1 };
const SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'what', 'ours', 'prism', 'right', 'why'],
    properties: {
      id: TEXT,
      what: TEXT,
      ours: { enum: ['fits', 'broken'] },
      prism: { enum: ['fits', 'broken', 'none'] },
      fault: TEXT,
      right: { enum: ['ours', 'prism', 'both', 'neither'] },
      why: TEXT,
    },
  },
};

/** @throws FixtureError with every problem and its place in the file. */
export async function readDisagreements(path: string): Promise<Disagreement[]> {
  return parseDisagreements(await readText(path), displayName(path));
}

/** Does what `readDisagreements` does with a text. */
export function parseDisagreements(text: string, name: string): Disagreement[] {
  const source = parseSource(text, name);
  const validate = new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile<Disagreement[]>(SCHEMA);
  if (!validate(source.value)) throw source.error(schemaProblems(validate.errors ?? [], source.written));
  const keys = source.value.map(({ ours, prism, fault }) => [ours, prism, fault].join(' '));
  const twice = keys.flatMap((key, index) => (keys.indexOf(key) < index ? [index] : []));
  const reason = 'This disagreement is there already. Keep one.';
  if (twice.length > 0) throw source.error(twice.map((index) => ({ pointer: toPointer([index]), reason })));
  return source.value;
}
