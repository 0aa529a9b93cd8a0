import type { Comparison } from './compare.ts';
import type { Difference } from './difference.ts';
import { traverse } from './listing.ts';
import { getShape, type Look, listLooks, type Way } from './looks.ts';
import { getServer, isLimited, LEEWAY_MS, type Pair, pause, RETRY_MS } from './pair.ts';
import type { Answer, SideIndex } from './side.ts';
import type { World } from './world.ts';

/** Takes looks at both sides. Waits for what the target may show late. */
export class Views {
  count = 0;
  /** When the latest step was made. The lists may be out of date for a while. */
  changedAt = performance.now();
  usersChangedAt = performance.now();
  haveUsersChanged = false;
  /** When the effect of every request is certain that the target has accepted. */
  private effectiveAt = 0;
  private readonly pair: Pair;
  private readonly world: World;
  private readonly comparison: Comparison;

  constructor(pair: Pair, world: World, comparison: Comparison) {
    this.pair = pair;
    this.world = world;
    this.comparison = comparison;
  }

  /** Waits until the target shows the effect of a request that it has accepted. What it shows in the end, the looks report. */
  async waitForEffect(names: readonly string[]): Promise<void> {
    this.effectiveAt = performance.now() + this.pair.acceptedMs;
    for (const look of this.listReads(names))
      while ((await this.isDifferent(look)) && performance.now() < this.effectiveAt) await pause(RETRY_MS);
  }

  /** Whether one of the entities differs between the sides. */
  async differ(names: readonly string[]): Promise<boolean> {
    return (await Promise.all(this.listReads(names).map((look) => this.isDifferent(look)))).includes(true);
  }

  private listReads(names: readonly string[]): Look[] {
    return listLooks(this.world).filter(({ of = '' }) => names.includes(of));
  }

  private async isDifferent(look: Look): Promise<boolean> {
    return (await this.compareReads(look, { as: 'manager', form: this.pair.form, pageSize: undefined })) !== undefined;
  }

  /** Looks at the same thing in several ways at the same moment. @returns the first difference */
  async take(look: Look, ways: readonly Way[]): Promise<Difference | undefined> {
    this.count += ways.length;
    const { lengths, userLagMs, listLagMs } = this.pair;
    if (lengths.isTooLong(look)) return undefined;
    const isUsers = look.operation === 'getUsers';
    const lag = (isUsers ? userLagMs : look.isList ? listLagMs : 0) ?? 0;
    const changedAt = isUsers ? this.usersChangedAt : this.changedAt;
    const deadline = Math.max(changedAt, this.effectiveAt) + lag + (lag > 0 ? LEEWAY_MS : 0);
    for (;;) {
      const used = ways.map((way) => ({ ...way, pageSize: lengths.choosePageSize(look, way.pageSize) }));
      const differences = await Promise.all(used.map((way) => (look.isList ? this.compareLists(look, way) : this.compareReads(look, way))));
      const index = differences.findIndex((difference) => difference !== undefined);
      if (index < 0) return undefined;
      if (performance.now() > deadline) {
        // An entity that is missing in a list may be missing everywhere.
        const { lacks } = differences[index]!;
        const lost = listLooks(this.world).find(({ of }) => of !== undefined && of === lacks);
        const { pageSize, ...principal } = used[index]!;
        const loss = lost && (await this.take(lost, [{ ...principal, pageSize: undefined }]));
        if (loss) return loss;
        const query = { ...look.request.query, ...(pageSize !== undefined && { pageSize }) };
        const request = { ...look.request, ...(look.request.query && { query }), ...principal };
        return { ...differences[index]!, shape: getShape(look, ways[index]!), request: { operation: look.operation, request } };
      }
      await pause(RETRY_MS);
    }
  }

  private async compareReads(look: Look, { as, form }: Way): Promise<Difference | undefined> {
    const { target, twin, names } = this.pair;
    const [actual, wanted] = await Promise.all([
      target.call(look.operation, { ...names.resolve(0, look.request), as, form }),
      twin.call(look.operation, { ...names.resolve(1, look.request), as, form }),
    ]);
    if (isLimited(actual, wanted)) return undefined;
    return this.comparison.compareReads(look, { as, form, pageSize: undefined }, actual, wanted);
  }

  private async compareLists(look: Look, way: Way): Promise<Difference | undefined> {
    const { pageSize, ...principal } = way;
    const read = (side: SideIndex, size?: { readonly pageSize: number }) => {
      const { query } = this.pair.names.resolve(side, look.request);
      return traverse(getServer(this.pair, side), look.operation, { query: { ...query, ...size }, ...principal });
    };
    // Pages of another size would show the same at the twin.
    const [actual, wanted] = await Promise.all([read(0, pageSize === undefined ? undefined : { pageSize }), read(1)]);
    if ('status' in wanted || 'status' in actual) {
      const [target, twin] = [actual, wanted].map((each) =>
        'status' in each ? each : { status: 200, text: 'a page', json: { entities: each.entities } },
      ) as [Answer, Answer];
      return isLimited(target, twin) ? undefined : this.comparison.compareReads(look, way, target, twin);
    }
    this.pair.lengths.record(look, pageSize, actual);
    return actual.isWhole ? this.comparison.compareListings(look, way, actual, wanted) : undefined;
  }
}
