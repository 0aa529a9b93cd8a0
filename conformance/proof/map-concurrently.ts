export async function mapConcurrently<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<readonly Result[]>,
) {
  const waiting = [...items];
  const results: Result[] = [];
  const runNext = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) results.push(...(await work(item)));
  };
  await Promise.all(Array.from({ length: limit }, runNext));
  return results;
}
