import type { KitMemory } from './kit-process.ts';

const MB = 1024 * 1024;

// Preloaded into a kit, with --expose-gc: answers a message of the parent with the memory of the kit. The collection is the one of a process that is short
// of memory: V8 gives back what it holds in reserve for new objects, too, which grows to 128 MB with whatever work there is, and says nothing of what is kept.
process.on('message', async () => {
  // In KiB, on every platform.
  const peakMb = process.resourceUsage().maxRSS / 1024;
  await globalThis.gc?.({ execution: 'async', type: 'major', flavor: 'last-resort' });
  process.send?.({ settledMb: process.memoryUsage.rss() / MB, peakMb } satisfies KitMemory);
});
// Whatever ends the parent ends the kit. The channel itself keeps nothing running.
process.once('disconnect', () => process.exit());
process.channel?.unref();
