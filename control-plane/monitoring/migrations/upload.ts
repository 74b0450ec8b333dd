import { z } from 'zod'
import { rowChanged, workflowId } from '#contract/workflows.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { change } from './change.ts'
import { fileBytes, keptMinutes } from './options.ts'
import { findMigration, lockMigration, mayWrite } from './row.ts'
import { sourceNamed } from './sources/index.ts'
import { storeFile } from './store.ts'
import { MigrationView, viewMigration } from './view.ts'

const bytes = z.string().meta({ format: 'binary' })

export const uploadMigrationFile = endpoint({
  method: 'PUT',
  path: '/migrations/{migration}/file',
  operation: 'migrations.sendFile',
  summary: 'Send the file of a migration, and preview it',
  description:
    'The file as it is: the SQLite database of Uptime Kuma, the YAML of Gatus, a CSV. It is stored encrypted, and ' +
    'deleted once it is read, after an hour at the latest. A file that is sent again replaces the preview.',
  access: mayWrite,
  accepts: {
    types: { 'application/octet-stream': bytes, 'text/csv': bytes, 'application/yaml': bytes },
    limit: fileBytes,
  },
  returns: ok({ data: MigrationView }),

  async handle(context) {
    const { em, tenant, params, rawBody, services, now, signal, audit } = context
    const row = await lockMigration(em, tenant, params.migration, ['draft', 'previewed', 'failed'])
    const source = sourceNamed(row.provider)
    if (source?.reads !== 'file') throw invalid({ body: [`${source?.title} is read from its API, not from a file.`] })
    if (rawBody.content.length === 0) throw invalid({ body: ['The file is empty.'] })
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
