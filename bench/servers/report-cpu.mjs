// Preloaded into every measured server, including Prism. Answers the message `{ report: 'cpu' }` with the CPU time of the process.
process.on('message', ({ report }) => {
  if (report !== 'cpu') return;
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system });
});
process.on('disconnect', () => process.exit());
