import { z } from 'zod'
import { line } from '#contract/line.ts'
import { channelTypes } from '#contract/plans.ts'
import { Sentence } from '#contract/sentence.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'
import { notInPlan } from '#control-plane/base/refusal.ts'
import { describedAs } from '#control-plane/http/described-as.ts'
import { readBy } from '#control-plane/http/unknown-fields.ts'
import { changesOf, sentByType } from './described.ts'
import { kinds } from './kinds/index.ts'
import { mayUse } from './view.ts'

export const Name = line(255)
export const Config = readBy(
  z.record(z.string(), z.unknown()),
  ({ type }) => channelTypes.flatMap(known => (known === type ? kinds[known].config : []))[0],
)

const fields = {
  name: Name,
  is_enabled: z.boolean().default(true),
  notify_all: z
    .boolean()
    .default(true)
    .meta({
      description:
        'Whether a rule is created with the channel that sends it the beginning and the end of every incident: of a ' +
        'reseller also those of its managed teams. With false the channel gets nothing until a rule names it.',
    }),
}
export const NewChannel = describedAs(
  z.object({ ...fields, type: z.enum(channelTypes), config: Config }),
  sentByType(fields),
)
const changes = { name: Name, is_enabled: z.boolean() }
export const ChannelChanges = describedAs(z.object({ ...changes, config: Config }).partial(), changesOf(changes))

export const mayRead = { tenant: 'notifications:read', reseller: 'notifications:read' } as const
export const mayWrite = { tenant: 'notifications:write', reseller: 'notifications:write' } as const

/** Templates are tried within the transaction of the save. */
export const saveLimit = new ConcurrencyLimit({ atOnce: 4, waiting: 200, atOnceOfKey: 2, waitingOfKey: 60 })

export function refuseTypeBeyondPlan(tenant: TenantContext, type: string): void {
  if (mayUse(tenant, type)) return
  throw notInPlan(
    'notification_channels',
    tenant.plan,
    new Sentence('The plan has no channels of type {type}.', { type }),
    'type',
  )
}
