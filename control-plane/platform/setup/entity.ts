import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** The link that makes the operator and the first team. There is at most one. */
export const SetupLink = defineEntity({
  name: 'SetupLink',
  tableName: 'setup_links',
  properties: {
    isOnly: p.boolean().primary().default(true),
    tokenHash: p.blob(),
    expiresAt: timestamp(),
  },
})
