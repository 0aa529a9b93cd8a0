// Verifies a signed delivery. The arguments are the library's name and a file with the delivery.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const { Webhook } = await import(process.argv[2]);
const { secret, headers, text } = JSON.parse(readFileSync(process.argv[3], 'utf8'));
new Webhook(secret).verify(text, headers);
assert.throws(() => new Webhook(secret).verify(text.replace('{', '{ '), headers), 'the library refuses a changed body');
assert.throws(
  () => new Webhook(`whsec_${Buffer.alloc(24, 1).toString('base64')}`).verify(text, headers),
  'the library refuses a wrong secret',
);
