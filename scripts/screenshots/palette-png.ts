import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A PNG in true colour as one with a palette of its 256 most frequent colours: a picture of text is a third as large, and looks the same. */
export function withPalette(png: Buffer): Buffer {
  const { header, data } = read(png);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header[8] !== 8 || header[9] !== 2 || header[12] !== 0) throw new Error('Only pictures in true colour, 8 bits each, without alpha.');
  const pixels = unfiltered(inflateSync(data), width * 3, height);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) counts.set(pixels.readUIntBE(at, 3), (counts.get(pixels.readUIntBE(at, 3)) ?? 0) + 1);
  const palette = [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, 256)
    .map(([colour]) => colour);
  const nearest = new Map([...counts.keys()].map((colour) => [colour, indexOfNearest(palette, colour)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at++) {
    rows[at + Math.floor(at / width) + 1] = nearest.get(pixels.readUIntBE(at * 3, 3)) as number;
  }
  const indexed = Buffer.from(header);
  indexed[9] = 3;
  const colours = Buffer.alloc(palette.length * 3);
  for (const [index, colour] of palette.entries()) colours.writeUIntBE(colour, index * 3, 3);
  const chunks = [
    chunk('IHDR', indexed),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([png.subarray(0, 8), ...chunks]);
}

function read(png: Buffer): { header: Buffer; data: Buffer } {
  let header = Buffer.alloc(0);
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === 'IHDR') header = Buffer.from(content);
    if (type === 'IDAT') data.push(content);
  }
  return { header, data: Buffer.concat(data) };
}

/** The bytes of the rows, without the filters of PNG (section 9 of its specification). */
function unfiltered(rows: Buffer, length: number, height: number): Buffer {
  const out = Buffer.alloc(length * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (length + 1)];
    for (let x = 0; x < length; x++) {
      const left = x < 3 ? 0 : (out[y * length + x - 3] as number);
      const up = y === 0 ? 0 : (out[(y - 1) * length + x] as number);
      const corner = x < 3 || y === 0 ? 0 : (out[(y - 1) * length + x - 3] as number);
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter as number] as number;
      out[y * length + x] = (rows[y * (length + 1) + 1 + x] as number) + predicted;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function indexOfNearest(palette: readonly number[], colour: number): number {
  const distance = (other: number) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((other >> shift) & 255) - ((colour >> shift) & 255)) ** 2, 0);
  return palette.reduce((best, other, index) => (distance(other) < distance(palette[best] as number) ? index : best), 0);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const out = Buffer.alloc(named.length + 8);
  out.writeUInt32BE(content.length, 0);
  named.copy(out, 4);
  out.writeUInt32BE(crc32(named), named.length + 4);
  return out;
}
