import type { JournalEntry } from '../../kit/control.ts';

/** The request list's filters: query parameters of the page and of GET /_control/requests. */
export interface RequestFilter {
  readonly operation?: string;
  readonly status?: string;
  readonly credential?: string;
  readonly rule?: string;
}

const FILTER_NAMES = ['operation', 'status', 'credential', 'rule'] as const;

export function parseFilter(query: Readonly<Record<string, string | undefined>>): RequestFilter {
  return Object.fromEntries(FILTER_NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

export const getRule = ({ problem }: JournalEntry): string | undefined => problem?.type?.replace(/^\/problems\//, '');
