import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Strict mode allows only `public` addresses. Local mode also allows `special` addresses (loopback, private, documentation). No mode allows
 * the kind `never`: link-local and cloud metadata addresses, and IPv6 addresses that hide an IPv4 address.
 */
type AddressKind = 'public' | 'special' | 'never';

const SPECIAL_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];

const GLOBAL_V6 = ['2000::/3'];
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const NEVER_V4 = [
  '169.254.0.0/16', // Link-local addresses, which most clouds use for their metadata services.
  '100.100.100.200/32', // Alibaba Cloud's metadata service.
  '168.63.129.16/32', // Azure's platform service, which has a public address.
  '192.0.0.192/32', // Oracle Cloud's metadata service.
];

const NEVER_V6 = [
  'fe80::/10', // Link-local addresses.
  'fd00:ec2::/32', // AWS's metadata service.
  'fd20:ce::254/128', // Google Cloud's metadata service.
  'fd00:c1::a9fe:a9fe/128', // Oracle Cloud's metadata service.
  'fd00:42::42/128', // Scaleway's metadata service.
  '2001::/32', // Teredo addresses, which contain an obfuscated IPv4 address.
  '64:ff9b:1::/48', // Local-use NAT64 addresses (RFC 8215), which contain an IPv4 address at an unknown position.
];

/** Returns the IPv6 ranges that embed an IPv4 range: mapped, compatible, translated (RFC 7915), NAT64 (RFC 6052), 6to4. */
function embedRange(range: string): string[] {
  const [network, prefix] = parseRange(range);
  const [a = 0, b = 0, c = 0, d = 0] = network.split('.').map(Number);
  const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  return [
    ...['::ffff:', '::', '::ffff:0:', '64:ff9b::'].map((head) => `${head}${groups}/${96 + prefix}`),
    `2002:${groups}::/${16 + prefix}`,
  ];
}

function parseRange(range: string): [network: string, prefix: number] {
  const [network = '', prefix] = range.split('/');
  return [network, Number(prefix)];
}

function createBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges.map(parseRange)) list.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4');
  return list;
}

const never = createBlockList([...NEVER_V4, ...NEVER_V6, ...NEVER_V4.flatMap(embedRange)]);
const specialV4 = createBlockList(SPECIAL_V4);
const globalV6 = createBlockList(GLOBAL_V6);
const specialV6 = createBlockList(SPECIAL_V6);

export function classifyAddress(address: string): AddressKind {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return 'never';
  if (family === 4) return never.check(address) ? 'never' : specialV4.check(address) ? 'special' : 'public';
  if (never.check(address, 'ipv6')) return 'never';
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6') ? 'public' : 'special';
}
