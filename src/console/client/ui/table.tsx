import type { ComponentChildren } from 'preact';

/** The attributes of the link from a row to its detail. */
export interface RowLink {
  readonly href: string;
  readonly tabIndex: 0 | -1;
}

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row, link: RowLink) => ComponentChildren;
  /** CSS classes of the heading and the cells. `unnamed` hides the heading from everyone except screen readers. */
  readonly class?: string;
}

export const withNote = (text: ComponentChildren, note: ComponentChildren) => (
  <>
    {text}
    <small>{note}</small>
  </>
);

interface TableProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
}

export const Table = <Row,>({ rows, columns }: TableProps<Row>) => (
  <div class="table-frame">
    <table>
      <TableHead columns={columns} />
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            <Cells row={row} columns={columns} />
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const TableHead = <Row,>({ columns }: Pick<TableProps<Row>, 'columns'>) => (
  <thead>
    <tr>
      {columns.map(({ name, class: kind }) => (
        <th key={name} scope="col" class={kind}>
          {kind?.includes('unnamed') ? <span class="visually-hidden">{name}</span> : name}
        </th>
      ))}
    </tr>
  </thead>
);

export const Cells = <Row,>({
  row,
  columns,
  link = { href: '', tabIndex: 0 },
}: Pick<TableProps<Row>, 'columns'> & { readonly row: Row; readonly link?: RowLink }) => (
  <>
    {columns.map(({ name, cell, class: kind }) => (
      <td key={name} class={kind}>
        {cell(row, link)}
      </td>
    ))}
  </>
);
