import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type ExportDocument,
  exportedOfCheck,
  exportedOfJob,
  exportedOfMonitor,
  exportFormat,
  exportVersion,
  only,
} from '#contract/export.ts'
import { type Api, listAll } from './api.ts'

const yaml: { dump(document: unknown, options: { lineWidth: number; noRefs: boolean }): string } = createRequire(
  import.meta.url,
)('js-yaml')

/** The monitors and jobs of the team whose token the API is called with. */
export async function exportDocument(api: Api, now = new Date()): Promise<ExportDocument> {
  const monitors: Record<string, unknown>[] = []
  for (const monitor of await listAll(api, '/monitors')) {
    // jobs come with their schedules below
    if (monitor.type === 'cron') continue
    const checks = await listAll(api, `/monitors/${monitor.id}/checks`)
    monitors.push({ ...only(monitor, exportedOfMonitor), checks: checks.map(check => only(check, exportedOfCheck)) })
  }
  const jobs = (await listAll(api, '/cron-monitors')).map(job => only(job, exportedOfJob))
  return {
    format: exportFormat,
    version: exportVersion,
    exported_at: now.toISOString(),
    from: api.url,
    monitors,
    jobs,
  }
}

/** Writes the export to a file, readable by its owner alone, or prints it. */
export async function exportTo(
  api: Api,
  { format, output }: { format: 'json' | 'yaml'; output: string | null },
): Promise<void> {
  const document = await exportDocument(api)
  const text =
    format === 'yaml'
      ? yaml.dump(document, { lineWidth: 120, noRefs: true })
      : `${JSON.stringify(document, undefined, 2)}\n`
  if (output === null) return void process.stdout.write(text)
  writeFileSync(output, text, { mode: 0o600 })
  console.log(`${document.monitors.length} monitors and ${document.jobs.length} jobs are in ${output}`)
}
