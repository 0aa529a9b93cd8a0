import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLoginPage, formatRefusalPage, type LoginPage } from './page.ts';

const UNSAFE_TEXT = `<script>alert(1)</script>"'&`;
const page: LoginPage = {
  client: { name: UNSAFE_TEXT, provider: UNSAFE_TEXT },
  scopes: [{ scope: UNSAFE_TEXT, description: UNSAFE_TEXT }],
  telephoneNumber: UNSAFE_TEXT,
  principals: [
    { id: UNSAFE_TEXT, name: UNSAFE_TEXT, telephoneNumber: UNSAFE_TEXT, accounts: [{ name: UNSAFE_TEXT, level: 'read' }], suggested: true },
  ],
  action: `/auth/interaction/${UNSAFE_TEXT}`,
};

test('the pages escape HTML characters in all values from the world and from the request', () => {
  for (const html of [formatLoginPage(page), formatRefusalPage(UNSAFE_TEXT, UNSAFE_TEXT)]) {
    assert.doesNotMatch(html, /<script|alert\(1\)<\/|"'/);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/);
  }
});
