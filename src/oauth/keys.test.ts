import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { test } from 'node:test';
import { calculateJwkThumbprint } from 'jose';
import { signingKeyFromSeed, worldSigningKey } from './keys.ts';

test('a seed results in the key, thumbprint and signature of RFC 8037, appendix A', () => {
  const key = signingKeyFromSeed(Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url'));
  assert.equal(key.publicJwk.x, '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo');
  assert.equal(key.kid, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  const signature = sign(null, Buffer.from('eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc'), key.privateKey);
  assert.equal(signature.toString('base64url'), 'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg');
});

test('the key of a world never changes', () => {
  assert.equal(worldSigningKey('demo').kid, 'uBa5GTOG2SCsD4IPCwddY_AYtxJap6bEkYvOAZmo2rs');
});

test('each world and each purpose has its own key', () => {
  const kids = [worldSigningKey('demo'), worldSigningKey('demo-2'), worldSigningKey('demo', 'stranger')].map((key) => key.kid);
  assert.equal(new Set(kids).size, 3);
});

test('the public JWK has no private member, and its thumbprint as kid', async () => {
  const { publicJwk } = worldSigningKey('demo');
  assert.deepEqual(Object.keys(publicJwk).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  assert.equal(publicJwk.kid, await calculateJwkThumbprint({ ...publicJwk }));
});
