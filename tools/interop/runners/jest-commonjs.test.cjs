const { createKit } = require('experience-provider-kit');

test('a kit starts, and receives an event', async () => {
  const kit = await createKit({ port: 0 });
  const { received } = await kit.subscribe(() => {}, { types: ['provisioning.user.created'] });
  await kit.state.add('users', { account: 'northwind' });
  await kit.settled();
  await kit.close();
  expect(received).toHaveLength(1);
});
