// Counts an account's users. With a second argument, makes a deliberate mistake: it reads only the first page.
const { XPK_URL: url, XPK_TOKEN: token } = process.env;
const [accountId, firstPageOnly] = process.argv.slice(2);
let count = 0;
let cursor = null;
do {
  const query = new URLSearchParams({ accountId, ...(cursor && { cursor }) });
  const response = await fetch(`${url}/users?${query}`, { headers: { authorization: `Bearer ${token}` } });
  const page = await response.json();
  count += page.entities.length;
  cursor = page.cursor;
} while (cursor !== null && !firstPageOnly);
console.log(`${count} users`);
