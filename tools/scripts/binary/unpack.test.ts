import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pack, unpack } from './unpack.ts';

const archive = pack(new Map([['a/b.txt', Buffer.from('text')]]));
const variables = ['XDG_CACHE_HOME', 'TMPDIR'] as const;
const original = variables.map((name) => process.env[name]);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xpk-unpack-'));
  process.env.XDG_CACHE_HOME = join(folder, 'cache');
  process.env.TMPDIR = join(folder, 'tmp');
  mkdirSync(join(folder, 'tmp'));
});
afterEach(() => {
  variables.forEach((name, index) => {
    if (original[index] === undefined) delete process.env[name];
    else process.env[name] = original[index];
  });
  rmSync(folder, { recursive: true });
});

test('the files are unpacked once into the cache folder', () => {
  const unpacked = unpack('1', () => archive);
  assert.equal(unpacked, join(folder, 'cache/xpk/1'));
  assert.equal(readFileSync(join(unpacked, 'a/b.txt'), 'utf8'), 'text');
  const again = unpack('1', () => assert.fail('The archive must not be read again.'));
  assert.equal(again, unpacked);
  assert.deepEqual(readdirSync(join(folder, 'cache/xpk')), ['1']);
});

test('two processes that unpack at the same time use the same files', () => {
  const unpacked = unpack('1', () => {
    unpack('1', () => archive);
    return archive;
  });
  assert.equal(readFileSync(join(unpacked, 'a/b.txt'), 'utf8'), 'text');
  assert.deepEqual(readdirSync(join(folder, 'cache/xpk')), ['1']);
});

test('the temporary folder is used if the cache folder cannot be used', () => {
  writeFileSync(join(folder, 'cache'), 'a file');
  assert.equal(
    unpack('1', () => archive),
    join(folder, `tmp/xpk-${process.getuid?.()}/1`),
  );
});

test('a folder that other users can change is refused, with the variable that names another one', () => {
  writeFileSync(join(folder, 'cache'), 'a file');
  const shared = join(folder, `tmp/xpk-${process.getuid?.()}`);
  mkdirSync(join(shared, '1'), { recursive: true });
  chmodSync(shared, 0o777);
  assert.throws(() => unpack('1', () => archive), {
    message: new RegExp(
      `Set XDG_CACHE_HOME to a folder that you own\\.[\\s\\S]*cache[\\s\\S]*${shared} can be changed by another user\\.$`,
    ),
  });
});

test('an archive that cannot be written leaves no files', () => {
  assert.throws(() => unpack('1', () => Buffer.from('not an archive')));
  assert.deepEqual(readdirSync(join(folder, 'cache/xpk')), []);
});
