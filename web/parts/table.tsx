import { memo, type ReactNode, useCallback, useDeferredValue, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icons.tsx'
import { Tick } from './tick.tsx'
import './table.css'

export interface Column<Row> {
  /** Also the name of the sort order, where the column is sortable. */
  id: string
  /** Empty over buttons. */
  header: string
  cell(row: Row): ReactNode
  /** The column that names the row; the first by default. It stands first on a phone. */
  isRowHeader?: boolean
  isSortable?: boolean
  /** Numbers stand at the end of their column. */
  isNumeric?: boolean
  /** On a phone the cell stands without the header before it, as for buttons. */
  isPlain?: boolean
}

export interface Sort {
  column: string
  direction: 'asc' | 'desc'
}

export interface TableProps<Row> {
  /** What the table lists, for screen readers and, with `isCaptionShown`, for all. */
  caption: string
  isCaptionShown?: boolean
  columns: readonly Column<Row>[]
  /** Without them: they are still being read. */
  rows: readonly Row[] | undefined
  keyOf(row: Row): string
  sort?: Sort
  onSort?(sort: Sort): void
  selection?: Selection<Row>
}

interface Selection<Row> {
  keys: ReadonlySet<string>
  onChange(keys: ReadonlySet<string>): void
  nameOf(row: Row): string
  /** Rows without a tick; by default there are none. */
  isFixed?(row: Row): boolean
}

/** No row is less high. */
const leastRowPx = 50

export function Table<Row>({
  caption,
  isCaptionShown = false,
  columns,
  rows,
  keyOf,
  sort,
  onSort,
  selection,
}: TableProps<Row>) {
  const { t } = useTranslation('parts')
  // the rows that the window has space for are painted before the others are made
  const isWhole = useDeferredValue(true, false)
  const selecting = useRef(selection)
  selecting.current = selection
  const tick = useCallback((key: string, isOn: boolean) => {
    const { keys, onChange } = selecting.current ?? {}
    if (keys) onChange?.(withKey(keys, key, isOn))
  }, [])
  if (rows === undefined) return <div className="loading" role="progressbar" aria-label={caption} />
  const selectable = selection ? rows.filter(row => !selection.isFixed?.(row)) : []
  const shown = isWhole ? rows : rows.slice(0, Math.ceil(window.innerHeight / leastRowPx))
  const selected = selectable.filter(row => selection?.keys.has(keyOf(row))).length
  return (
    <div className="table-frame">
      <table className="table">
        <caption className={isCaptionShown ? '' : 'unseen'}>{caption}</caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="table-tick">
                <Tick
                  label={t('table.selectAll')}
                  isSelected={selectable.length > 0 && selected === selectable.length}
                  isIndeterminate={selected > 0 && selected < selectable.length}
                  onChange={isOn => selection.onChange(new Set(isOn ? selectable.map(keyOf) : []))}
                />
              </th>
            )}
            {columns.map(column => (
              <Header key={column.id} column={column} {...(sort && { sort })} {...(onSort && { onSort })} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(row => {
            const key = keyOf(row)
            return (
              <BodyRow
                key={key}
                id={key}
                row={row}
                columns={columns}
                {...(selection && {
                  tick,
                  tickName: selection.isFixed?.(row) ? null : selection.nameOf(row),
                  isSelected: selection.keys.has(key),
                })}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

interface BodyRowProps<Row> {
  id: string
  row: Row
  columns: readonly Column<Row>[]
  tick?(id: string, isOn: boolean): void
  /** What the row is called beside its tick; null: it has none. */
  tickName?: string | null
  isSelected?: boolean
}

function TableRow<Row>({ id, row, columns, tick, tickName = null, isSelected = false }: BodyRowProps<Row>) {
  const named = columns.find(({ isRowHeader }) => isRowHeader) ?? columns[0]
  return (
    <tr>
      {tick && (
        <td className="table-tick">
          {tickName !== null && <RowTick name={tickName} isSelected={isSelected} onChange={isOn => tick(id, isOn)} />}
        </td>
      )}
      {columns.map(column =>
        column === named ? (
          <th key={column.id} scope="row">
            {column.cell(row)}
          </th>
        ) : (
          <td key={column.id} className={column.isNumeric ? 'numeric' : ''}>
            {!column.isPlain && column.header !== '' && (
              <span className="cell-label" aria-hidden="true">
                {column.header}
              </span>
            )}
            <div>{column.cell(row)}</div>
          </td>
        ),
      )}
    </tr>
  )
}
/** Made again where its row, its tick or the columns have changed: lists with many rows keep their columns. */
const BodyRow = memo(TableRow) as typeof TableRow

function RowTick({ name, ...rest }: { name: string; isSelected: boolean; onChange(isOn: boolean): void }) {
  const { t } = useTranslation('parts')
  return <Tick label={t('table.select', { name })} {...rest} />
}

function Header<Row>({
  column: { id, header, isSortable, isNumeric },
  sort,
  onSort,
}: {
  column: Column<Row>
  sort?: Sort
  onSort?(sort: Sort): void
}) {
  const direction = sort?.column === id ? sort.direction : null
  const look = isNumeric ? 'numeric' : ''
  if (header === '') return <td />
  if (!isSortable || !onSort)
    return (
      <th scope="col" className={look}>
        {header}
      </th>
    )
  return (
    <th scope="col" className={look} aria-sort={direction ? `${direction}ending` : 'none'}>
      <button
        type="button"
        className="table-sort"
        onClick={() => onSort({ column: id, direction: direction === 'asc' ? 'desc' : 'asc' })}
      >
        {header}
        {direction && <Icon name={direction === 'asc' ? 'arrowUp' : 'arrowDown'} />}
      </button>
    </th>
  )
}

function withKey(keys: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  const changed = new Set(keys)
  if (isIn) changed.add(key)
  else changed.delete(key)
  return changed
}
