import { isTransient } from './away.ts'

type Act<Rows> = (rows: Rows) => unknown
type Rows<Row> = Iterable<Row> | AsyncIterable<Row>
type OnBad<Row> = (row: Row, error: unknown) => unknown

/**
 * Acts on rows of many tenants, each apart: a row on which it fails is given to `onBad`, and the others go on. A store that
 * is away is no row's fault and ends the loop.
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

/** Acts on rows of many tenants together. Where that fails it is done again with each half, down to the row at fault. */
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
  /** Takes all rows that are due, or these alone. */
  act(only: readonly Row[] | null): Promise<unknown>
  /** The rows it would take. */
  due(): Promise<readonly Row[]>
  onBad: OnBad<Row>
}

/** A step over many tenants' rows that is one statement. Where it is refused, it is taken over its rows apart. */
export async function setIsolated<Row>({ act, due, onBad }: SetStep<Row>): Promise<void> {
  try {
    await act(null)
  } catch (error) {
    if (isTransient(error)) throw error
    await splitIsolated(await due(), act, onBad)
  }
}
