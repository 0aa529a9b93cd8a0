import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import { MAX_DEPTH } from '../contract/validators.ts';
import { toSteps, type WorldProblem } from './problem.ts';

/** Each error below a key contains the key. */
export const MAX_KEY_LENGTH = 1024;
/** Without this limit, a few nested aliases could exhaust the memory. */
const MAX_ALIASED_LENGTH = 1_000_000;
export const TOO_DEEP = 'This is nested too deeply.';

/** A value with the size and depth that it has when each alias in it is replaced by a copy of the alias's value. */
interface Converted {
  readonly value: unknown;
  readonly length: number;
  readonly depth: number;
}

interface Member {
  readonly key?: Node | undefined;
  readonly value: Node | undefined;
}

/**
 * Converts a YAML document to a value, in a time proportional to the document's size. The parser's own conversion searches the document for
 * each alias.
 */
export function convertDocument(document: Document.Parsed) {
  const problems: { offset: number; reason: string }[] = [];
  const anchors = new Map<string, Converted | 'open'>();
  const members = new Map<Node, Map<string, Member>>();
  const aliased = new Map<Node, Node | undefined>();
  const anchorNodes = new Map<string, Node>();
  let aliasedLength = 0;

  function refuse(node: Node, reason: string): Converted {
    problems.push({ offset: node.range?.[0] ?? 0, reason });
    return { value: undefined, length: 0, depth: 0 };
  }

  function convert(node: Node | null | undefined, level: number): Converted {
    if (!node) return { value: null, length: 0, depth: 0 };
    if (isAlias(node)) return convertAlias(node.source, node, level);
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) {
      anchors.set(anchor, 'open');
      anchorNodes.set(anchor, node);
    }
    const converted = isScalar(node) ? { value: node.value, length: getLength(node), depth: 0 } : convertCollection(node, level);
    if (anchor !== undefined) anchors.set(anchor, converted);
    return converted;
  }

  function convertAlias(name: string, node: Node, level: number): Converted {
    const converted = anchors.get(name);
    if (converted === undefined) return refuse(node, `There is no anchor "&${name}" before this alias.`);
    if (converted === 'open') return refuse(node, `An alias cannot be inside its anchor "&${name}".`);
    if (level + converted.depth > MAX_DEPTH) return refuse(node, TOO_DEEP);
    aliased.set(node, anchorNodes.get(name));
    aliasedLength += converted.length;
    if (aliasedLength <= MAX_ALIASED_LENGTH) return converted;
    return refuse(node, `The aliases up to here repeat more than ${MAX_ALIASED_LENGTH} characters. Use fewer aliases.`);
  }

  function convertCollection(node: Node, level: number): Converted {
    if (level >= MAX_DEPTH) return refuse(node, TOO_DEEP);
    const isList = isSeq<Node>(node);
    const value: unknown[] | Record<string, unknown> = isList ? [] : {};
    const known = new Map<string, Member>();
    members.set(node, known);
    let [length, depth] = [getLength(node), 0];
    const add = (name: string, member: Member) => {
      known.set(name, member);
      if (aliasedLength > MAX_ALIASED_LENGTH) return;
      const converted = convert(member.value, level + 1);
      // Unlike an assignment, this also creates the member "__proto__".
      Object.defineProperty(value, name, { value: converted.value, enumerable: true, configurable: true, writable: true });
      length += converted.length - (isAlias(member.value) ? 0 : getLength(member.value));
      depth = Math.max(depth, converted.depth + 1);
    };
    if (isList) for (const [index, item] of node.items.entries()) add(String(index), { value: item });
    else if (isMap<Node, Node | null>(node)) {
      for (const { key, value: member } of node.items) {
        const { value: name } = convert(key, level + 1);
        const text = String(name ?? '');
        if (text.length > MAX_KEY_LENGTH) refuse(key, `A key may have at most ${MAX_KEY_LENGTH} characters.`);
        else if (known.has(text)) refuse(key, 'This key is used twice. Keep one.');
        else add(text, { key, value: member ?? undefined });
      }
    }
    return { value, length, depth };
  }

  const { value } = convert(document.contents as Node | null, 0);
  return {
    value,
    problems,
    /** Finds the offset of the node at a problem's pointer, or of the last existing node on the path. */
    findOffset({ pointer, at }: WorldProblem): number {
      let node: Node | undefined = document.contents as Node;
      const steps = toSteps(pointer);
      for (const [index, step] of steps.entries()) {
        const container: Node | undefined = node && (aliased.get(node) ?? node);
        const member: Member | undefined = container && members.get(container)?.get(step);
        if (!member) break;
        node = index === steps.length - 1 && at === 'key' ? (member.key ?? member.value) : (member.value ?? member.key);
      }
      return node?.range?.[0] ?? 0;
    },
  };
}

/** An empty scalar counts as one character. */
function getLength(node: Node | undefined): number {
  return node?.range ? Math.max(1, node.range[1] - node.range[0]) : 0;
}
