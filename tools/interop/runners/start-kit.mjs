import { createKit } from 'experience-provider-kit';

export async function startKit() {
  await using kit = await createKit({ port: 0 });
  const response = await fetch(`${kit.url}/users/nobody`, { headers: { authorization: `Bearer ${await kit.mint()}` } });
  if (response.status !== 404) throw new Error(`Expected a 404 for an unknown user, got ${response.status}.`);
}
