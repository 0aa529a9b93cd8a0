/** The problems that the server answers before it reaches an operation. */
import { isObject, type JsonObject, type Problems } from './documents.ts';
import { banner, key, literal } from './write-typescript.ts';

const members = ['status', 'title', 'text'];

export function writeGates(table: JsonObject, problems: Problems): string {
  for (const [id, gate] of Object.entries(table)) {
    const place = `openapi/gates.yaml#/${id}`;
    if (!isObject(gate) || typeof gate.status !== 'number' || typeof gate.title !== 'string' || typeof gate.text !== 'string') {
      problems.add(place, 'is not a map of a status, a title and a text');
    } else for (const member of Object.keys(gate)) if (!members.includes(member)) problems.add(place, `has the unknown key ${member}`);
  }
  const entries = Object.entries(table).map(([id, gate]) => `  ${key(id)}: ${literal(gate)},\n`);
  return `${banner('openapi/gates.yaml')}
export interface Gate {
  status: number;
  title: string;
  /** One sentence. */
  text: string;
}

/** Problems that are answered before any operation is reached, or when none is. */
export const gates = {
${entries.join('')}} as const satisfies Record<string, Gate>;

export type GateId = keyof typeof gates;
`;
}
