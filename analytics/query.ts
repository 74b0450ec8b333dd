import { z } from 'zod'
import { type ClickHouseClient, markedAway } from './client.ts'

interface Query<Params extends z.ZodType, Row extends z.ZodType> {
  params: Params
  row: Row
  /**
   * SQL text, or a function of the parameters for parts that ClickHouse does not accept as parameters. Never built from
   * their values.
   */
  sql: string | ((params: z.output<Params>) => string)
}

/** SQL text with the schemas of its parameters and rows. A row that does not match is an error. */
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

/** A merged part whose files were removed while a long query still read them; a retry reads the new part. */
export const isVanishedPart = (error: unknown) =>
  error instanceof Error && /filesystem_error|FILE_DOESNT_EXIST/.test(error.message)

/** A time as ClickHouse returns it. */
export const moment = z.iso.datetime().transform(text => new Date(text))

/** A time as DateTime parameter: whole seconds. */
export const second = z.date().transform(date => new Date(Math.floor(date.getTime() / 1000) * 1000))
