/** The text without what differs from run to run: ids, times, trace ids, cursors, tokens and codes. */
export function comparable(text: string): string {
  return (
    text
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
      .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, '<time>')
      .replace(/"traceId":"[0-9a-f]{32}"/g, '"traceId":"<trace>"')
      .replace(/"cursor":"[\w-]+"/g, '"cursor":"<cursor>"')
      .replace(/"refresh_token":"[\w-]+"/g, '"refresh_token":"<token>"')
      // A receiver takes a free port.
      .replace(/127\.0\.0\.1:\d+\/events/g, '127.0.0.1:<port>/events')
      .replace(/([?&]code=)[\w-]+/g, '$1<code>')
      .trimEnd()
  );
}
