import type { JournalEntry } from '../../kit/control.ts';

/** The filters of the list, as in the query of the page and of GET /_control/requests. */
export interface RequestFilter {
  readonly operation?: string;
  readonly status?: string;
  readonly credential?: string;
  readonly rule?: string;
}

const NAMES = ['operation', 'status', 'credential', 'rule'] as const;

/** Reads the filters from the query of the page. */
export function filterOf(query: Readonly<Record<string, string | undefined>>): RequestFilter {
  return Object.fromEntries(NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

/** The id of the rule, decision or gate that a response names. */
export const ruleOf = ({ problem }: JournalEntry): string | undefined => problem?.type?.replace(/^\/problems\//, '');
