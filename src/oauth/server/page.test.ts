import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELDS, type LoginPage, loginPage, refusalPage } from './page.ts';

const nasty = `<script>alert(1)</script>"'&`;
const page: LoginPage = {
  client: { name: nasty, provider: nasty },
  scopes: [{ scope: nasty, description: nasty }],
  telephoneNumber: nasty,
  principals: [{ id: nasty, name: nasty, telephoneNumber: nasty, accounts: [{ name: nasty, level: 'read' }], suggested: true }],
  problem: nasty,
  action: `/auth/interaction/${nasty}`,
};

test('pages escape everything from the world and the request', () => {
  for (const html of [loginPage(page), refusalPage({ error: nasty, description: nasty, remedy: { text: nasty, command: nasty } })]) {
    assert.doesNotMatch(html, /<script|alert\(1\)<\/|"'/);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/);
  }
});

test('the form posts the principal and the answer, and its controls have labels', () => {
  const html = loginPage(page);
  assert.match(html, /<form method="post" action="/);
  for (const value of [FIELDS.approve, FIELDS.deny])
    assert.match(html, new RegExp(`<button [^>]*name="${FIELDS.answer}" value="${value}"`));
  assert.match(html, new RegExp(`<label class="choice"><input type="radio" name="${FIELDS.principal}"`));
  assert.match(html, /<label class="name" for="number">/);
  assert.match(html, /<html lang="en">/);
});
