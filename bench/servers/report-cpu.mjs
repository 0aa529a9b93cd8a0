// Preloaded into every measured server, including Prism. Answers `{ report: 'cpu' }` with the process's CPU time, and `{ report: 'memory'
// }` with the process's memory in bytes.
process.on('message', ({ report }) => {
  const { user, system } = process.cpuUsage();
  if (report === 'cpu') process.send({ cpu: user + system });
  if (report === 'memory') process.send({ figure: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit());
