import type { JournalEntry } from '../../kit/control.ts';

/** The filters of the list, which are query parameters of the page and of GET /_control/requests. */
export interface RequestFilter {
  readonly operation?: string;
  readonly status?: string;
  readonly credential?: string;
  readonly rule?: string;
}

const FILTER_NAMES = ['operation', 'status', 'credential', 'rule'] as const;

/** Reads the filters from the query of the page. */
export function parseFilter(query: Readonly<Record<string, string | undefined>>): RequestFilter {
  return Object.fromEntries(FILTER_NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

/** Returns the id of the rule, decision or gate in the problem type of a response. */
export const getRule = ({ problem }: JournalEntry): string | undefined => problem?.type?.replace(/^\/problems\//, '');
