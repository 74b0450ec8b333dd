import { z } from 'zod'
import { type ClickHouseClient, markedAway } from './client.ts'

interface Query<Params extends z.ZodType, Row extends z.ZodType> {
  params: Params
  row: Row
  /** A text, or one made of the parameters where ClickHouse cannot take a part of it as a parameter. Never of their values. */
  sql: string | ((params: z.output<Params>) => string)
}

/** SQL text, what it takes, and what one row of it is. A row of another shape is an error, never a guess. */
export const query = <Params extends z.ZodType, Row extends z.ZodType>({ sql, params, row }: Query<Params, Row>) => {
  const rows = z.array(row)
  return async (clickhouse: ClickHouseClient, input: z.input<Params>): Promise<z.output<Row>[]> => {
    const values = params.parse(input)
    const ask = async () => {
      const result = await clickhouse.query({
        query: typeof sql === 'string' ? sql : sql(values),
        query_params: values as Record<string, unknown>,
        format: 'JSONEachRow',
      })
      return result.json().catch(error => Promise.reject(markedAway(error)))
    }
    return rows.parse(await ask().catch(error => (isVanishedPart(error) ? ask() : Promise.reject(error))))
  }
}

/** A merged part whose files were removed while a long question was still reading them; the next attempt reads the new part. */
export const isVanishedPart = (error: unknown) =>
  error instanceof Error && /filesystem_error|FILE_DOESNT_EXIST/.test(error.message)

/** A time as ClickHouse gives it. */
export const moment = z.iso.datetime().transform(text => new Date(text))

/** A time that ClickHouse takes as DateTime: whole seconds. */
export const second = z.date().transform(date => new Date(Math.floor(date.getTime() / 1000) * 1000))
