import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findMigration, mayRead } from './row.ts'
import { MigrationView, viewMigration } from './view.ts'

export const getMigration = endpoint({
  method: 'GET',
  path: '/migrations/{migration}',
  summary: 'Get a migration with its state and progress',
  access: mayRead,
  returns: ok({ data: MigrationView }),

  async handle({ em, tenant, params }) {
    return { data: viewMigration(await findMigration(em, tenant, params.migration)) }
  },
})
