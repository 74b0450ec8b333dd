import type { Pool } from 'pg'
import type { Row } from '#control-plane/db/queries.ts'
import type { SeenProcess } from './judge.ts'
import { ProcessReport, silentMs } from './report.ts'

export type ReportRow = Row<'process_reports', 'id'> & { started_at: Date; reported_at: Date; report: unknown }

/** The processes that reported within the last minute, by their start. */
export async function readProcesses(platform: Pool, now: Date) {
  const { rows } = await platform.query<ReportRow>(
    'select id, started_at, reported_at, report from process_reports order by started_at, id limit 1000',
  )
  return rows.flatMap(row => {
    // that of another version may have another form
    const { data } = ProcessReport.safeParse(row.report)
    if (!data) return []
    const seen: SeenProcess = { ...data, isReporting: now.getTime() - row.reported_at.getTime() <= silentMs }
    return [{ row, seen }]
  })
}
