import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { rowChanged, workflowId } from '#contract/workflows.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { UploadLimit } from '#control-plane/http/upload-limit.ts'
import type { Source } from '#importers/source.ts'
import { change } from './change.ts'
import { fileBytes, keptMinutes, textFileBytes } from './options.ts'
import { findMigration, lockMigration, mayWrite } from './row.ts'
import { isDatabaseFile } from './run-source.ts'
import { sourceNamed } from './sources.ts'
import { storeFile } from './store.ts'
import { MigrationView, viewMigration } from './view.ts'

const bytes = z.string().meta({ format: 'binary' })

const aMinute = 4

/** What can be said of a file before it is stored. */
function refuseFile({ isDatabase }: Source, file: Buffer): string | null {
  if (file.length === 0) return 'The file is empty.'
  if (isDatabase) return isDatabaseFile(file) ? null : 'The file is no SQLite database.'
  if (file.length > textFileBytes) return `The file has more than ${textFileBytes / 1_048_576} MB.`
  return isUtf8(file) ? null : 'The file is not text in UTF-8.'
}

export const uploadMigrationFile = endpoint({
  method: 'PUT',
  path: '/migrations/{migration}/file',
  operation: 'migrations.sendFile',
  summary: 'Send the file of a migration, and preview it',
  description:
    'The file as it is: the SQLite database of Uptime Kuma, the YAML of Gatus, a CSV. It is stored encrypted, and ' +
    'deleted once it is read, after an hour at the latest. A file that is sent again replaces the preview. ' +
    `At most ${fileBytes / 1_048_576} MB, text ${textFileBytes / 1_048_576} MB; a team sends one at a time, ` +
    `and ${aMinute} a minute.`,
  access: mayWrite,
  accepts: {
    types: { 'application/octet-stream': bytes, 'text/csv': bytes, 'application/yaml': bytes },
    limit: fileBytes,
  },
  upload: new UploadLimit({ name: 'migration-file', aMinute, atOnce: 6 }),
  returns: ok({ data: MigrationView }),

  async handle(context) {
    const { em, tenant, params, rawBody, services, now, signal, audit } = context
    const row = await lockMigration(em, tenant, params.migration, ['draft', 'previewed', 'failed'])
    const source = sourceNamed(row.provider)
    if (source?.reads !== 'file')
      throw invalid({
        body: [
          new Sentence('{source} is read from its API, not from a file.', { source: source?.title ?? row.provider }),
        ],
      })
    const why = refuseFile(source, rawBody.content)
    if (why !== null) throw invalid({ body: [why] })
    await storeFile(em, services.config, { id: row.id, tenantId: tenant.id }, rawBody.content)
    await change(context, row, {
      state: 'draft',
      phase: null,
      failure: null,
      failed_in: null,
      has_file: true,
      credentials_expire_at: new Date(now.getTime() + keptMinutes * 60_000).toISOString(),
    })
    signal(workflowId.migration(row.id, row.revision), rowChanged)
    audit('migration.file_sent', { type: 'migration', id: row.id }, { bytes: rawBody.content.length })
    return { data: viewMigration(await findMigration(em, tenant, row.id)) }
  },
})
