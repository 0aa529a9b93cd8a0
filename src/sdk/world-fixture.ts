import type { components } from '../contract/generated/control.ts';
import type { ConnectedKit } from './connect.ts';
import type { TestWorld, WorldOptions } from './test-world.ts';

type JournalEntry = components['schemas']['JournalEntry'];

export type FixtureKit = Pick<ConnectedKit, 'createWorld' | 'close'>;

const { XPK_URL, XPK_CONTROL_TOKEN: controlToken } = process.env;

/** Connects to the kit at XPK_URL. Without this variable, starts a kit in this process. */
export async function openFixtureKit(): Promise<FixtureKit> {
  if (XPK_URL) return (await import('./connect.ts')).connectKit(XPK_URL, controlToken ? { controlToken } : {});
  return (await import('../kit.ts')).createKit({ port: 0 });
}

interface FixtureTest {
  /** The titles of the test's groups, and of the test. */
  readonly titles: readonly string[];
  readonly options: WorldOptions;
  hasFailed(): boolean;
  /**
   * Adds to the report of a failed test what is printed, too.
   * @param requests oldest first
   * @param link the console's page with the requests, as long as the world exists; undefined if the kit ends with the tests
   */
  report?(requests: readonly JournalEntry[], link: string | undefined): Promise<void>;
}

/** Gives a test a world. The world of a failed test stays until it has been unused for its idle timeout. */
export async function useWorld(
  kit: FixtureKit,
  { titles, options, hasFailed, report }: FixtureTest,
  use: (world: TestWorld) => Promise<void>,
): Promise<void> {
  const world = await kit.createWorld({ label: titles.filter(Boolean).join(' › ').slice(0, 200), ...options });
  await use(world);
  if (hasFailed()) {
    const requests = (await world.control.GET('/_control/requests')).data.toReversed();
    const link = XPK_URL ? `${world.consoleUrl}requests` : undefined;
    const lines = requests.map(({ method, path, status = 'no response' }) => `  ${status} ${method} ${path}`);
    console.error(['The world of this test answered:', ...lines, ...(link === undefined ? [] : [link])].join('\n'));
    await report?.(requests, link);
  }
  if (!XPK_URL || !hasFailed()) await world.close();
}
