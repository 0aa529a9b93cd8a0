import type { KitMemory } from './kits.ts';

const MB = 1024 * 1024;

// Preloaded into a kit, with --expose-gc: answers each message of the parent with the memory of the kit. A last-resort collection also returns the space that
// V8 reserves for new objects. That space grows to 128 MB under any load, so it would hide what the kit keeps.
process.on('message', async () => {
  // In KiB, on every platform.
  const peakMb = process.resourceUsage().maxRSS / 1024;
  await globalThis.gc?.({ execution: 'async', type: 'major', flavor: 'last-resort' });
  process.send?.({ settledMb: process.memoryUsage.rss() / MB, peakMb } satisfies KitMemory);
});
// The kit ends with its parent. The channel alone must not keep the kit running.
process.once('disconnect', () => process.exit());
process.channel?.unref();
