import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A server whose verdicts are known beforehand: what a module in targets/ exports as its default. */
export interface GoldenTarget {
  /** What it is, in a sentence. */
  readonly is: string;
  /** It keeps nothing between two requests, so that both path forms can be judged at the same time. */
  readonly stateless: boolean;
  /** Starts it, on a free port. */
  open(): Promise<OpenGoldenTarget>;
}

export interface OpenGoldenTarget {
  readonly baseUrl: string;
  /** The path of its profile. */
  readonly profile: string;
  close(): Promise<void>;
}

export interface NamedTarget extends GoldenTarget {
  /** The name of its module: `prism-mock`. */
  readonly name: string;
  /** The path of its golden list, which stands beside the module. */
  readonly list: string;
}

const FOLDER = new URL('./targets/', import.meta.url);

/** All targets: each module in targets/ is one. */
export async function goldenTargets(): Promise<NamedTarget[]> {
  const names = (await readdir(FOLDER)).filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -'.ts'.length));
  return Promise.all(
    names.sort().map(async (name) => {
      const { default: target } = (await import(new URL(`${name}.ts`, FOLDER).href)) as { default: GoldenTarget };
      return { ...target, name, list: besides(name, 'yaml') };
    }),
  );
}

/** A file of a target. @param ending `profile.yaml` */
export function besides(name: string, ending: string): string {
  return fileURLToPath(new URL(`${name}.${ending}`, FOLDER));
}
