import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Tick } from '../parts/tick.tsx'
import './rows.css'

export interface RowColumn<Row> {
  id: string
  /** Empty over buttons. */
  title: string
  cell(row: Row): ReactNode
}

export interface Selection {
  ids: ReadonlySet<string>
  onChange(ids: ReadonlySet<string>): void
  /** Of the tick that selects all rows. */
  label: string
}

interface RowsProps<Row> {
  label: string
  /** Without rows: still loading. */
  rows: readonly Row[] | undefined
  rowId(row: Row): string
  /** The first one names the row. */
  columns: readonly RowColumn<Row>[]
  /** With a tick before each row. */
  selection?: Selection
  /** What the tick of a row selects. */
  rowName?(row: Row): string
}

/** A table of a few rows; on a phone each row is a list of its cells, with their titles. */
export function Rows<Row>({ label, rows, rowId, columns, selection, rowName }: RowsProps<Row>) {
  const { t } = useTranslation('access')
  if (rows === undefined) return <div className="loading" role="progressbar" aria-label={t('loading')} />
  const ids = rows.map(rowId)
  const put = (id: string, isSelected: boolean) => {
    const next = new Set(selection?.ids)
    if (isSelected) next.add(id)
    else next.delete(id)
    selection?.onChange(next)
  }
  const isEach = ids.length > 0 && ids.every(id => selection?.ids.has(id))
  return (
    <div className={selection ? 'rows selectable' : 'rows'}>
      <table aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <td>
                <Tick
                  label={selection.label}
                  isSelected={isEach}
                  isIndeterminate={!isEach && selection.ids.size > 0}
                  onChange={isSelected => selection.onChange(new Set(isSelected ? ids : []))}
                />
              </td>
            )}
            {columns.map(({ id, title }) =>
              title === '' ? (
                <td key={id} />
              ) : (
                <th key={id} scope="col">
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={rowId(row)}>
              {selection && (
                <td>
                  <Tick
                    label={rowName?.(row) ?? ''}
                    isSelected={selection.ids.has(rowId(row))}
                    onChange={isSelected => put(rowId(row), isSelected)}
                  />
                </td>
              )}
              {columns.map(({ id, title, cell }, index) =>
                index === 0 ? (
                  <th key={id} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={id} data-title={title}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
