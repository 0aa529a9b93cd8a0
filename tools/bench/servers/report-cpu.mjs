// Preloaded into every measured server. Answers requests for the process's CPU time, or its memory in bytes.
process.on('message', ({ report }) => {
  const { user, system } = process.cpuUsage();
  if (report === 'cpu') process.send({ cpu: user + system });
  if (report === 'memory') process.send({ figure: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit());
