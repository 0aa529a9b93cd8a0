import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LoginPage, loginPage, refusalPage } from './page.ts';

const nasty = `<script>alert(1)</script>"'&`;
const page: LoginPage = {
  client: { name: nasty, provider: nasty },
  scopes: [{ scope: nasty, description: nasty }],
  telephoneNumber: nasty,
  principals: [{ id: nasty, name: nasty, telephoneNumber: nasty, accounts: [{ name: nasty, level: 'read' }], suggested: true }],
  action: `/auth/interaction/${nasty}`,
};

test('the pages escape HTML characters in all values from the world and from the request', () => {
  for (const html of [loginPage(page), refusalPage(nasty, nasty)]) {
    assert.doesNotMatch(html, /<script|alert\(1\)<\/|"'/);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/);
  }
});
