import type { ComponentChildren } from 'preact';

/** The head of a column. `right` aligns it with numbers or buttons, and `hidden` shows it to screen readers only. */
type Column = string | { readonly name: string; readonly is: 'right' | 'hidden' };

/** A table, which scrolls in its frame if the page is narrower. @param children its rows */
export function Table({ columns, class: name, children }: { columns: readonly Column[]; class?: string; children: ComponentChildren }) {
  return (
    <div class="table-frame">
      <table class={name}>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.name} scope="col" class={column.is === 'right' ? 'right' : undefined}>
                  {column.is === 'hidden' ? <span class="visually-hidden">{column.name}</span> : column.name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
