import { randomUUID } from 'node:crypto'
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/** A team that owns monitors; with `isReseller` one that manages other teams. */
export const Tenant = defineEntity({
  name: 'Tenant',
  tableName: 'tenants',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUID()),
    name: p.string().length(255),
    slug: p.string().length(100),
    plan: p.string().default('free'),
    featureOverrides: p.json<Record<string, unknown>>().onCreate(() => ({})),
    isReseller: p.boolean().default(false),
    pausedAt: p.datetime().nullable(),
    deletedAt: p.datetime().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
    updatedAt: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
  },
})
export type Tenant = InferEntity<typeof Tenant>
