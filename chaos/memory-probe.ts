// Preloaded into a kit, with --expose-gc: answers a message of the parent with the resident memory in MB that is left after a collection of garbage.
process.on('message', async () => {
  await globalThis.gc?.({ execution: 'async', type: 'major' });
  process.send?.(process.memoryUsage.rss() / 1024 / 1024);
});
// Whatever ends the parent ends the kit. The channel itself keeps nothing running.
process.once('disconnect', () => process.exit());
process.channel?.unref();
