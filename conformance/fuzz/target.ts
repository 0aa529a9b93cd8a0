import fc, { type Arbitrary } from 'fast-check';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Late } from './known.ts';
import { percent } from './percent.ts';
import { nearly } from './values.ts';

const ofParameter = {
  experienceId: nearly('experiences', 'accounts'),
  assignmentId: nearly('assignments', 'gone', 'connections'),
  experienceConnectionId: nearly('connections', 'gone', 'assignments'),
  userId: fc.oneof({ weight: 2, arbitrary: nearly('users', 'accounts') }, { weight: 1, arbitrary: nearly('nativeIds') }),
} as const;

/** Path segments that no encoder would write. */
const RAW_SEGMENTS = [
  '%00',
  '%ZZ',
  '%',
  '%C0%80',
  '%ED%A0%80',
  '%FF',
  '%2F',
  '%2e%2e',
  '..;',
  'é',
  '"<>',
  '\\',
  '',
  '%25',
  '#',
  '%0d%0aX-Odd:1',
];

type PathChange = (path: string) => string;
const PATH_CHANGES: readonly PathChange[] = [
  (path) => path.toUpperCase(),
  (path) => `${path}/`,
  (path) => path.replace('/', '//'),
  (path) => `/experience${path}`,
  (path) => path.replace(/^\/experience/, ''),
  (path) => `${path}/more`,
  (path) => path.replace(/\/[^/]*$/, ''),
  (path) => path.replace('e', '%65'),
  (path) => `/.${path}`,
  (path) => `http://localhost${path}`,
  (path) => `http://evil.example${path}`,
  (path) => path.slice(1),
];

/** The path of an operation in either form: mostly good. */
export function path(operationId: OperationId): Arbitrary<Late<string>> {
  const { paths, pathParameters } = operations[operationId];
  const names: readonly string[] = pathParameters;
  const segment = fc.oneof(
    { weight: 20, arbitrary: names.length === 0 ? fc.constant(() => '') : good(names[0] as keyof typeof ofParameter) },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_SEGMENTS).map((text) => () => text) },
  );
  const change = fc.oneof(
    { weight: 25, arbitrary: fc.constant((it: string) => it) },
    { weight: 1, arbitrary: fc.constantFrom(...PATH_CHANGES) },
  );
  return fc.tuple(fc.constantFrom(...paths), segment, change).map(
    ([template, value, changed]) =>
      (known) =>
        changed(template.replace(/\{\w+\}/, () => value(known))),
  );
}

function good(name: keyof typeof ofParameter): Arbitrary<Late<string>> {
  return ofParameter[name].map((value) => (known) => percent(value(known)));
}
