import { isTransient } from './away.ts'

type Act<Rows> = (rows: Rows) => unknown
type Rows<Row> = Iterable<Row> | AsyncIterable<Row>
type OnBad<Row> = (row: Row, error: unknown) => unknown

/**
 * Acts on rows of many tenants one by one: a row that fails is passed to `onBad`, and the others go on. An unavailable
 * store is no row's fault and ends the loop.
 */
export async function eachIsolated<Row>(rows: Rows<Row>, act: Act<Row>, onBad: OnBad<Row>): Promise<void> {
  for await (const row of rows)
    try {
      await act(row)
    } catch (error) {
      if (isTransient(error)) throw error
      await onBad(row, error)
    }
}

/** Acts on rows of many tenants together. After a failure it acts on each half, down to the row at fault. */
export async function splitIsolated<Row>(
  rows: readonly Row[],
  act: Act<readonly Row[]>,
  onBad: OnBad<Row>,
): Promise<void> {
  if (rows.length === 0) return
  try {
    await act(rows)
  } catch (error) {
    if (isTransient(error)) throw error
    if (rows.length === 1) return void (await onBad(rows[0]!, error))
    const half = rows.length >> 1
    await splitIsolated(rows.slice(0, half), act, onBad)
    await splitIsolated(rows.slice(half), act, onBad)
  }
}

interface SetStep<Row> {
  /** Acts on all rows that are due, or on these alone. */
  act(only: readonly Row[] | null): Promise<unknown>
  /** The rows that are due. */
  due(): Promise<readonly Row[]>
  onBad: OnBad<Row>
}

/**
 * One statement over rows of many tenants. If the database refuses it, it runs for fewer rows, down to the row at
 * fault.
 */
export async function setIsolated<Row>({ act, due, onBad }: SetStep<Row>): Promise<void> {
  try {
    await act(null)
  } catch (error) {
    if (isTransient(error)) throw error
    await splitIsolated(await due(), act, onBad)
  }
}
