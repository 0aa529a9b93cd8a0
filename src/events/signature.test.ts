import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signatureOf, signingSecret } from './signature.ts';

test('the signature is the one of the Standard Webhooks specification’s example', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const signature = signatureOf(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330', '{"test": 2432232314}');
  assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('each subscription has a secret of its own, always the same', () => {
  assert.equal(signingSecret('one'), signingSecret('one'));
  assert.notEqual(signingSecret('one'), signingSecret('two'));
});
