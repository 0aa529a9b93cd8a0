import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { ProfileResources } from '../../../conformance/target/profile.ts';
import type { PathForm } from '../../contract/generated/operations.ts';
import type { NotApplicable } from '../../report/aggregate.ts';
import { packageFile } from '../../world/package-files.ts';
import { displayName, readText } from '../../world/read-text.ts';
import { schemaProblems } from '../../world/schema-problems.ts';
import { parseSource } from '../../world/source.ts';
import { fillFromEnvironment } from './environment.ts';
import type { WrittenHooks } from './hooks-module.ts';
import { unknownRule } from './rule-ids.ts';

/** A target profile: the form of conformance/profile.schema.yaml, with the environment filled in. */
export interface Profile {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly forms?: readonly PathForm[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutSeconds?: number;
  readonly requestsPerSecond?: number;
  readonly notApplicable?: readonly NotApplicable[];
  readonly hooks?: WrittenHooks;
  readonly resources: ProfileResources;
  /** Tokens, and what else came from the environment. */
  readonly secrets: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws FixtureError with every problem and its place in the file. */
export async function readProfile(path: string, environment: Environment = process.env): Promise<Profile> {
  return parseProfile(await readText(path), displayName(path), environment);
}

/** Does what `readProfile` does with a text. */
export function parseProfile(text: string, name: string, environment: Environment): Profile {
  const source = parseSource(text, name);
  const { value, problems, taken } = fillFromEnvironment(source.value, environment);
  if (problems.length > 0) throw source.error(problems);
  const validate = profileValidator();
  if (!validate(value)) throw source.error(schemaProblems(validate.errors ?? [], source.written));
  const { notApplicable = [] } = value;
  const unknown = notApplicable.flatMap(({ rule }, index) => {
    const reason = unknownRule(rule);
    return reason === undefined ? [] : [{ pointer: `/notApplicable/${index}/rule`, reason }];
  });
  if (unknown.length > 0) throw source.error(unknown);
  return profileOf(value, taken);
}

type Written = Omit<Profile, 'resources' | 'secrets'> & ProfileResources;

function profileOf(written: Written, taken: readonly { pointer: string; value: string }[]): Profile {
  const { name, baseUrl, forms, headers = {}, timeoutSeconds, requestsPerSecond, notApplicable, hooks, ...resources } = written;
  const secrets = [
    // Tokens are secret wherever they come from. So is what the environment gives, but for what reports are there to show.
    ...texts(resources.tokens),
    ...clientSecrets(resources.authorization),
    ...taken.filter(({ pointer }) => /^\/(headers|bodies|hooks\/(urls|headers))\//.test(pointer)).map(({ value }) => value),
    ...[headers, hooks?.headers ?? {}].flatMap(secretValues),
  ];
  const facts = { name, baseUrl: baseUrl?.replace(/\/+$/, ''), forms, headers, timeoutSeconds, requestsPerSecond, notApplicable, hooks };
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Omit<
    Profile,
    'resources' | 'secrets'
  >;
  return { ...given, resources, secrets };
}

function clientSecrets({ secretClient, keyClient }: ProfileResources['authorization'] = {}): string[] {
  const { d, p, q, dp, dq, qi, k } = keyClient?.privateKey ?? {};
  return [secretClient?.secret, keyClient?.secret, d, p, q, dp, dq, qi, k].filter((secret) => secret !== undefined);
}

function secretValues(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (/auth|cookie|key|secret|token|signature/i.test(name) ? [value] : []));
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

let validator: ValidateFunction<Written> | undefined;

function profileValidator(): ValidateFunction<Written> {
  validator ??= new Ajv2020({ allErrors: true, verbose: true, strict: false, ownProperties: true }).compile<Written>(
    parse(readFileSync(packageFile('conformance/profile.schema.yaml'), 'utf8')),
  );
  return validator;
}
