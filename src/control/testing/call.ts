/** @param path the path below `/_control` */
export async function callControl<Body>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Body }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/_control${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
}
