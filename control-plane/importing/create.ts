import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { line } from '#contract/line.ts'
import { workflowId } from '#contract/workflows.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { baseUrl, contentBytes, credential, pingKey, refuseSource, validateSource } from './input.ts'
import { keptMinutes, MigrationOptions } from './options.ts'
import { findMigration, mayWrite } from './row.ts'
import { sourceNames } from './sources.ts'
import { encryptKey, storeFile } from './store.ts'
import { MigrationView, viewMigration } from './view.ts'

const mostOpen = 20

export const createMigration = endpoint({
  method: 'POST',
  path: '/migrations',
  summary: 'Begin to move from another provider, with a preview',
  description:
    'The preview is made in the background, and nothing else is written until `POST /migrations/{migration}/import`. ' +
    'A file is sent as `content`, or as it is to `PUT /migrations/{migration}/file`. A key is stored encrypted, is ' +
    'never shown, and is deleted after an hour.',
  access: mayWrite,
  body: z
    .object({
      provider: z.enum(sourceNames),
      name: line(255).optional().meta({ description: 'By default the name of the provider.' }),
      account: line(100, 0)
        .default('')
        .meta({
          description:
            'Distinguishes two accounts or installations of one provider. The same records under the same account ' +
            'are carried over once, however often they are imported.',
        }),
      base_url: baseUrl.optional().meta({
        description: 'Where the API of the provider is reached, if not at its usual address.',
      }),
      api_key: credential.optional(),
      ping_key: pingKey.optional(),
      content: z
        .string()
        .min(1)
        .max(contentBytes)
        .optional()
        .meta({ description: 'The file of a provider that is read from text.' }),
      options: MigrationOptions.prefault({}),
    })
    .meta({ id: 'NewMigration' }),
  bodyLimit: 1_048_576,
  returns: created({ data: MigrationView }),

  async handle({ body, em, tenant, caller, now, services, audit, start }) {
    const { source, errors } = validateSource(body, services.guard)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    await refuseSource(em, tenant, mostOpen)
    const id = randomUUID()
    const hasSecret = body.api_key !== undefined || body.content !== undefined
    await queries(em)
      .insertInto('provider_migrations')
      .values({
        id,
        tenant_id: tenant.id,
        provider: body.provider,
        name: body.name ?? source.title,
        account: body.account,
        base_url: body.base_url ?? null,
        options: json(body.options),
        credentials:
          body.api_key === undefined
            ? null
            : encryptKey(services.config, id, { credential: body.api_key, pingKey: body.ping_key ?? null }),
        credentials_expire_at: hasSecret ? new Date(now.getTime() + keptMinutes * 60_000).toISOString() : null,
        has_file: body.content !== undefined,
        asked_by: caller.user?.id ?? null,
        created_at: now.toISOString(),
        updated_at: now.toISOString(),
      })
      .execute()
    if (body.content !== undefined)
      await storeFile(em, services.config, { id, tenantId: tenant.id }, Buffer.from(body.content))
    start('migration', workflowId.migration(id, 0), { tenantId: tenant.id, migrationId: id })
    audit('migration.created', { type: 'migration', id }, { provider: body.provider, account: body.account })
    return { data: viewMigration(await findMigration(em, tenant, id)) }
  },
})
