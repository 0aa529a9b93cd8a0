import { Document, visit } from 'yaml';
import { toPrintable } from '../report/printable.ts';

export function formatYaml(answer: object): string {
  const document = new Document(answer);
  // The escapes of `toPrintable` have the same meaning in double quotes.
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && toPrintable(node.value) !== node.value) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 }).trimEnd();
}
