import type { Pool } from 'pg'
import { type Row, rows } from '#control-plane/db/queries.ts'
import type { SeenProcess } from './judge.ts'
import { ProcessReport, silentMs } from './report.ts'

export type ReportRow = Row<'process_reports', 'id' | 'started_at' | 'reported_at' | 'report'>

/** The processes that reported within the last minute, by their start. */
export async function readProcesses(platform: Pool, now: Date) {
  const found = await rows(platform)<ReportRow>`
    select id, started_at, reported_at, report from process_reports order by started_at, id limit 1000`
  return found.flatMap(row => {
    // that of another version may have another form
    const { data } = ProcessReport.safeParse(row.report)
    if (!data) return []
    const seen: SeenProcess = { ...data, isReporting: now.getTime() - Date.parse(row.reported_at) <= silentMs }
    return [{ row, seen }]
  })
}
