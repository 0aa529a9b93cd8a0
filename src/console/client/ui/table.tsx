import type { ComponentChildren } from 'preact';

/** `hidden` hides the heading from everyone except screen readers. */
type Column = string | { readonly name: string; readonly is: 'right' | 'hidden' };

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
